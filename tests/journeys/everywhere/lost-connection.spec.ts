import type { Locator, Page } from "@playwright/test";
import { assignedReview, pendingReviews } from "../../support/rows/review-states.ts";
import { openSummary, ownPeople, ownWork } from "../support/staff.ts";
import { goToPayment, scriptsRun, signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const password = "demo-Password1";

test("a form that cannot be sent keeps its text and shows an error", async ({ page, context }) => {
  await page.goto("/login");
  await context.setOffline(true);
  await signIn(page, "ravi@example.com", password);
  await expect(page.getByRole("alert").filter({ hasText: "Failed to log in" })).toBeVisible();
  await expect(page.getByText("Failed to sign in")).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(password);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("Successfully signed in!")).toBeVisible();
});

test("a purchase keeps typed text while offline and continues afterwards", async ({
  browserOf,
}) => {
  const page = await browserOf("dev.bose23@example.com");
  const url = page.getByLabel("Portfolio URL");
  await page.goto("/services/portfolio-review");
  await scriptsRun(page);
  await url.fill("https://portfolio.example.com/work");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Submission failed")).toBeVisible();
  await expect(url).toHaveValue("https://portfolio.example.com/work");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Continue" }).click();

  const phone = page.getByLabel("Phone (optional)");
  await phone.fill("9876543210");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(page.getByText("Payment Error")).toBeVisible();
  await expect(page.getByText("Payment Failed")).toBeVisible();
  await expect(page.getByText("Payment initialization failed").first()).toBeVisible();
  await expect(phone).toHaveValue("9876543210");
  await page.context().setOffline(false);
  await goToPayment(page);
});

test("a confirmation link that cannot be checked shows its own message", async ({ page }) => {
  await page.route(/(account-confirmation|reset-password\/check)\.data/, (route) =>
    route.request().method() === "POST" ? route.abort("internetdisconnected") : route.continue(),
  );
  await page.goto("/account-confirmation?token_hash=some&type=signup");
  await expect(
    page.getByText(
      "An unexpected error occurred. Please try again or request a new confirmation link.",
    ),
  ).toBeVisible();
  await page.goto("/reset-password?token_hash=some&type=recovery");
  await expect(
    page.getByText("An unexpected error occurred. Please try again or request a new reset link."),
  ).toBeVisible();
});

test("signing out offline finishes when the connection returns", async ({ page, context }) => {
  await page.goto("/login");
  await signIn(page, "ravi@example.com", password);
  await expect(page.getByRole("link", { name: "Ravi" })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(
    page.getByText("There was a problem signing out. You have been redirected to the login page."),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole("heading", { name: "You're offline" })).toBeVisible();
  await context.setOffline(false);
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login\?next=%2Fprofile/);
  expect(await context.cookies()).not.toContainEqual(
    expect.objectContaining({ name: expect.stringMatching(/session|leaving/) }),
  );
  await signIn(page, "ravi@example.com", password);
  await expect(page).toHaveURL(/\/profile$/);
});

// Covered by "a form that cannot be sent keeps its text".
test("staff forms without an answer show a titled error and can be sent again @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const { db } = product;
  const [pending = ""] = await pendingReviews(db, customer, 1);
  const assigned = await assignedReview(db, customer, nila);
  const open = await ownWork(product, customer, nila, "under_review");
  const admin = await browserOf("gita@example.in");
  const reviewer = await browserOf(nila.email);
  const isFailing = async (page: Page, button: Locator, title: string) => {
    await page.route(/\.data/, (route) =>
      route.request().method() === "POST" ? route.abort("internetdisconnected") : route.fallback(),
    );
    await button.click();
    await expect(page.locator(".toasts_toast", { hasText: title })).toBeVisible();
    await page.unrouteAll();
    await expect(button).toBeEnabled();
  };

  await admin.goto("/admin/users");
  const reset = admin.getByRole("button", { name: /^Reset Password/ }).first();
  await isFailing(admin, reset, "Failed to send password reset email");
  await admin.goto("/admin/reviews");
  await admin.getByRole("checkbox", { name: `Select review ${pending}` }).check();
  await admin
    .locator(".lists_assign-bar")
    .getByLabel("Reviewer", { exact: true })
    .selectOption(nila.id);
  const assign = admin.getByRole("button", { name: /^Assign Selected/ });
  await isFailing(admin, assign, "Failed to assign reviews");
  await admin.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  await admin.getByLabel(`Actions for review ${assigned}`).click();
  await admin.getByRole("link", { name: "Unassign" }).click();
  const unassign = admin.getByRole("dialog").getByRole("button", { name: "Unassign" });
  await isFailing(admin, unassign, "Failed to unassign review");
  await admin.goto("/admin/jobs");
  const archive = admin.getByRole("button", { name: /^Archive/ }).first();
  await isFailing(admin, archive, "Failed to archive job listing");

  await reviewer.goto(`/reviewer/submission/${open}`);
  await openSummary(reviewer);
  await reviewer.getByLabel("Feedback").fill("Lead with the work.");
  const submit = reviewer.getByRole("button", { name: "Submit Review" });
  await isFailing(reviewer, submit, "Failed to submit review");
  await submit.click();
  await expect(reviewer.getByText("Review submitted successfully")).toBeVisible();
});
