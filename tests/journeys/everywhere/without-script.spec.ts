import { eq } from "drizzle-orm";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { linkMailedTo } from "../../support/rows/mailbox.ts";
import { fixture, signIn } from "../support/steps.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test.use({ javaScriptEnabled: false });

test("the board is searched, filtered and paged", async ({ page }) => {
  await page.goto("/jobs");
  const cards = page.locator('main article a[href^="/jobs/"]');
  const first = await cards.first().getAttribute("href");
  await page.getByRole("link", { name: "Load more" }).click();
  await expect(page).toHaveURL(/after=/);
  expect(await cards.first().getAttribute("href")).not.toBe(first);

  await page.goto("/jobs");
  await page.getByPlaceholder("Search jobs...").fill("intern");
  await page.getByPlaceholder("Search jobs...").press("Enter");
  await expect(page).toHaveURL(/intern/);
  await page.goto("/jobs?search=%25_%25_");
  await expect(page.getByText("No jobs found matching your criteria.")).toBeVisible();
});

test("an account is created, confirmed by a button and used", async ({ page, product }) => {
  const email = "scriptless@example.com";
  await page.goto("/signup");
  await page.getByLabel("Full name").fill("Scriptless Person");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("long enough");
  await page.getByLabel("Confirm password").fill("different");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Scriptless Person");
  await page.getByLabel("Password", { exact: true }).fill("long enough");
  await page.getByLabel("Confirm password").fill("long enough");
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Account Created" })).toBeVisible();

  await page.goto("/login");
  await signIn(page, email, "long enough");
  const first = (await linkMailedTo(product.db, email)).href;
  await page.getByRole("button", { name: "Send the link again" }).click();
  await expect(page.getByText("Confirmation sent")).toBeVisible();
  expect((await linkMailedTo(product.db, email)).href).not.toBe(first);

  await page.goto((await linkMailedTo(product.db, email)).href);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "Your account is confirmed" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign out" }).first()).toBeVisible();
  await page.getByRole("link", { name: "Continue now" }).click();
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "Your Profile" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(page.getByText("Successfully signed out!")).toBeVisible();
});

test("an invalid reset link says it is invalid, not missing", async ({ page }) => {
  await page.goto("/reset-password?token_hash=none&type=recovery");
  // Selected by position because text selectors skip noscript elements.
  const alert = page.locator("noscript .field_form-alert");
  await expect(alert).toBeVisible();
  await expect(alert).toHaveText(
    "Invalid or expired password reset link. Please request a new one.",
  );
});

test("a forgotten password is replaced", async ({ page, product }) => {
  const email = "kabir@example.in";
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send reset link" }).click();
  await expect(page.getByRole("heading", { name: "Email sent!" })).toBeVisible();
  await page.goto((await linkMailedTo(product.db, email)).href);
  await page.getByLabel("New Password").fill("Brand!new1");
  await page.getByLabel("Confirm Password").fill("Brand!new1");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByRole("heading", { name: "Password reset successfully!" })).toBeVisible();
  await page.goto("/login");
  await signIn(page, email, "Brand!new1");
  await expect(page).toHaveURL(/\/reviewer/);
});

test("a wrong file is refused, then a resume is uploaded and paid for", async ({
  page,
  context,
  product,
}) => {
  await signInByCookie(context, product, "anaya.kulkarni0@example.com");
  await page.goto("/services/resume-review");
  await page.locator('input[type="file"]').setInputFiles(fixture("program.pdf"));
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("Invalid file type")).toBeVisible();
  await expect(page.getByText("Please upload a PDF or Word document")).toBeVisible();
  const words = "This file is not a PDF or Word document";
  await expect(page.locator(".upload-field_upload").getByText(words)).toBeVisible();
  await expect(page.locator('input[type="file"]')).toHaveAccessibleDescription(new RegExp(words));
  await page.locator('input[type="file"]').setInputFiles(fixture("resume.pdf"));
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("resume.pdf").first()).toBeVisible();
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("button", { name: /^Pay ₹199.00/ }).click();
  await page.getByRole("button").first().click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
});

test("a visitor's click on a contact explains how to see it", async ({ page, product }) => {
  const [job] = await product.db.select().from(jobs).where(eq(jobs.isArchived, false)).limit(1);
  await page.goto(`/jobs/${job!.id}`);
  await page.getByRole("button", { name: "Contact POC Directly" }).click();
  await expect(
    page.getByText("Please sign in or create an account to access contact details."),
  ).toBeVisible();
});

test("the menu opens and the theme changes", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.locator("header").getByText("Jobs")).toBeVisible();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
