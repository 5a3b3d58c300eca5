import { eq } from "drizzle-orm";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { runCommand } from "../../support/product/operator.ts";
import { holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const granted = ["subscription", "grant"];

test("a subscriber publishes a job, cancels, and the job stays", async ({
  browserOf,
  page: visitor,
  product,
}) => {
  const email = "zoya.pillai6@example.com";
  await runCommand(product.db, [...granted, email, "--days", "30", "--recurring"]);
  const page = await browserOf(email, "/profile");
  await page.getByRole("link", { name: "Manage Subscription" }).click();
  await expect(page.getByRole("heading", { name: "Job Board Subscription" })).toBeVisible();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect(page.getByText("Auto-renews")).toBeVisible();
  await expect(page.getByText("Renews on")).toBeVisible();

  await page.getByRole("link", { name: "Go to the job-board area" }).click();
  await page.getByRole("link", { name: "Add New Job" }).click();
  const form = page.getByRole("dialog", { name: "Create New Job Listing" });
  await form.getByLabel("Job title *").fill("Keeper of the Gate");
  await form.getByLabel("Company *").fill("Sample Studio");
  await form.getByLabel("Location *").fill("Pune");
  await form.getByLabel("Brief summary *").fill("Opens and closes.");
  await form.getByLabel("Detailed description *").fill("Opens, and closes again.");
  await form.getByRole("button", { name: "Create Job" }).click();
  await expect(page.getByText("Job listing created successfully")).toBeVisible();

  await page.goto("/subscription");
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  const confirmDialog = page.getByRole("dialog", { name: "Are you sure?" });
  await expect(confirmDialog).toContainText(
    "Cancelling immediately ends your subscription and your access to the job board. This cannot be undone.",
  );
  await confirmDialog.getByRole("button", { name: "Keep Subscription" }).click();
  await expect(confirmDialog).toBeHidden();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  const release = await holdBack(page, /\/subscription\.data/, "POST");
  await confirmDialog.getByRole("button", { name: "Yes, Cancel Now" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Please wait, changes are being saved...")).toBeVisible();
  await expect(confirmDialog).toBeVisible();
  release();
  await expect(
    page.getByText(
      "Your subscription has been cancelled. Access to the job board has been revoked.",
    ),
  ).toBeVisible();
  await expect(page.getByText("Inactive", { exact: true })).toBeVisible();
  await expect(page.getByText("You do not have an active subscription")).toBeVisible();
  await expect(page.getByRole("link", { name: "Subscribe Now" })).toHaveAttribute("href", "/jobs");
  await expect(page).toHaveURL(/\/profile$/);

  await page.goto("/job-board");
  await expect(page).toHaveURL(/\/$/);
  await visitor.goto("/jobs?search=keeper");
  await expect(visitor.getByRole("link", { name: "Keeper of the Gate" })).toBeVisible();
  await product.db.delete(jobs).where(eq(jobs.title, "Keeper of the Gate"));
});

test("a failed cancellation explains what to do and ends nothing", async ({
  browserOf,
  product,
}) => {
  const email = "nikhil.barua7@example.com";
  await runCommand(product.db, [...granted, email]);
  const page = await browserOf(email, "/subscription");
  await expect(page.getByText("Auto-renews")).toHaveCount(0);
  // Another subscription started after the page was opened, and the button must not end it.
  await runCommand(product.db, [...granted, email]);
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await page.getByRole("button", { name: "Yes, Cancel Now" }).click();
  const errorDialog = page.getByRole("dialog", { name: "Subscription Management Error" });
  await expect(errorDialog).toContainText("Failed to cancel subscription. Please try again later.");
  await expect(errorDialog).toContainText("There are temporary issues");
  await expect(errorDialog).toContainText("contact support");
  await errorDialog.getByRole("button", { name: "Close" }).click();
  await expect(errorDialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Cancel Subscription" })).toBeFocused();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();

  // The screen has the current id by now. Its answer is lost, so it can't say that nothing changed.
  await page.route(/\/subscription\.data/, async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.fulfill({ status: 403 });
  });
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await page.getByRole("button", { name: "Yes, Cancel Now" }).click();
  await expect(errorDialog).toContainText("We got no answer, so it may have been cancelled anyway");
  await expect(errorDialog).not.toContainText("hasn't changed");
  await page.unrouteAll();
  await page.reload();
  await expect(page.getByText("Inactive", { exact: true })).toBeVisible();
});

test("a subscription ended by the operator gives no access, and a visitor has to sign in", async ({
  browserOf,
  page: visitor,
  product,
}) => {
  const email = "tara.dsouza8@example.com";
  await runCommand(product.db, [...granted, email]);
  const page = await browserOf(email, "/job-board");
  await expect(page).toHaveURL(/\/job-board$/);
  await runCommand(product.db, ["subscription", "end", email]);
  await page.goto("/job-board");
  await expect(page).toHaveURL(/\/$/);
  await page.goto("/subscription");
  await expect(page.getByText("Inactive", { exact: true })).toBeVisible();

  await visitor.goto("/subscription");
  await expect(visitor).toHaveURL(/\/login\?next=%2Fsubscription$/);
});
