import { eq } from "drizzle-orm";
import { sessions, users } from "../../../app/accounts/tables.server.ts";
import { reviewAssignments } from "../../../app/reviews/tables.server.ts";
import { scriptsRun, signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("a session that ends in the middle of a form loses nothing that was typed", async ({
  browserOf,
  product,
}) => {
  const page = await browserOf("asha@example.com");
  await page.goto("/services/portfolio-review?step=portfolio");
  await page.getByLabel(/URL/).fill("https://portfolio.example.com/typed");
  const [asha] = await product.db.select().from(users).where(eq(users.email, "asha@example.com"));
  await product.db.delete(sessions).where(eq(sessions.userId, asha!.id));
  await page
    .getByRole("button", { name: /save|continue/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await signIn(page, "asha@example.com", "demo-Password1");
  await expect(page).toHaveURL(/\/services\/portfolio-review/);
  await expect(page.getByLabel(/URL/)).toHaveValue("https://portfolio.example.com/typed");
});

test("a ban ends what is open at the next request, files too", async ({ browserOf, product }) => {
  const page = await browserOf("meera@example.in");
  const [meera] = await product.db.select().from(users).where(eq(users.email, "meera@example.in"));
  const [open] = await product.db
    .select()
    .from(reviewAssignments)
    .where(eq(reviewAssignments.reviewerId, meera!.id));
  await page.goto(`/reviewer/submission/${open!.reviewId}`);
  const file = await page.locator('a[href^="/storage/"]').first().getAttribute("href");
  expect((await page.request.get(file!)).status()).toBe(200);
  await product.db
    .update(users)
    .set({ bannedUntil: new Date(Date.now() + 60_000) })
    .where(eq(users.id, meera!.id));
  expect((await page.request.get(file!)).status()).toBe(404);
  await page.goto("/reviewer");
  await expect(page).toHaveURL(/\/login/);
  await product.db.update(users).set({ bannedUntil: null }).where(eq(users.id, meera!.id));
});

test("signing out in one tab ends the other at its next request", async ({ browserOf }) => {
  const first = await browserOf("sonia@example.com");
  await first.goto("/profile");
  const second = await first.context().newPage();
  await second.goto("/");
  await first.getByRole("button", { name: "Sign out" }).click();
  await expect(first).toHaveURL(/\/login$/);
  await second.goto("/profile");
  await expect(second).toHaveURL(/\/login\?next=%2Fprofile/);
  await expect(second.getByText("Please log in to view your profile")).toBeVisible();
});

test("a profile that stands open tells that the session has ended, and the header follows", async ({
  browserOf,
}) => {
  const page = await browserOf("ravi@example.com");
  await page.goto("/profile");
  await expect(page.getByRole("link", { name: "Ravi" })).toBeVisible();
  await scriptsRun(page);
  await page.context().clearCookies();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Please log in to view your profile").first()).toBeVisible();
  await expect(page.locator(".toast")).toContainText("Authentication Required");
  await expect(page.getByRole("link", { name: "Ravi" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Log in" })).toBeVisible();

  await page.getByRole("link", { name: "Login" }).click();
  await signIn(page, "ravi@example.com", "demo-Password1");
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole("heading", { name: "Your Review Services" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ravi" })).toBeVisible();
});
