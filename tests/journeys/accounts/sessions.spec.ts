import { eq } from "drizzle-orm";
import { createOneTimeLink } from "../../../app/accounts/one-time-links.server.ts";
import { hashPassword } from "../../../app/accounts/passwords.server.ts";
import { chosenMails, sessions, users } from "../../../app/accounts/tables.server.ts";
import { reviewAssignments } from "../../../app/reviews/tables.server.ts";
import { givePassword, person } from "../../support/rows/people.ts";
import { ownPeople } from "../support/staff.ts";
import {
  chooseFile,
  fixture,
  openBrief,
  scriptsRun,
  signIn,
  uploadResume,
} from "../support/steps.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test("nothing typed is lost when the session ends in the middle of a form", async ({
  browserOf,
  product,
}) => {
  const page = await browserOf("asha@example.com", "/services/portfolio-review?step=portfolio");
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

test("a question survives the end of the session, without a payment error", async ({
  browserOf,
  product,
}) => {
  const password = "A-good-password1";
  const writer = await person(product.db, "Tara Writer");
  await givePassword(product.db, writer, await hashPassword(password));
  const page = await browserOf(writer.email);
  await uploadResume(page, "one-page.pdf");
  await openBrief(page);
  await page.getByLabel("Phone (optional)").fill("9876543210");
  await product.db.delete(sessions).where(eq(sessions.userId, writer.id));
  await page.getByLabel("Question 1").fill("Is one page enough?");
  await expect(page).toHaveURL(/\/login\?next=/);
  await expect(page.getByText("Payment Error")).toBeHidden();
  await signIn(page, writer.email, password);
  await expect(page.getByLabel("Question 1")).toHaveValue("Is one page enough?");
  await expect(page.getByLabel("Phone (optional)")).toHaveValue("9876543210");
});

test("a ban takes effect at the next request, for files too", async ({ browserOf, product }) => {
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
    .set({ bannedUntil: new Date(Date.now() + 60 * 60_000) })
    .where(eq(users.id, meera!.id));
  expect((await page.request.get(file!)).status()).toBe(404);
  await page.goto("/reviewer");
  await expect(page).toHaveURL(/\/login/);
  await product.db.update(users).set({ bannedUntil: null }).where(eq(users.id, meera!.id));
});

test("signing out in one tab signs out the other at its next request", async ({ browserOf }) => {
  const first = await browserOf("sonia@example.com", "/profile");
  const second = await first.context().newPage();
  await second.goto("/");
  await first.getByRole("button", { name: "Sign out" }).click();
  await expect(first).toHaveURL(/\/login$/);
  await second.goto("/profile");
  await expect(second).toHaveURL(/\/login\?next=%2Fprofile/);
  await expect(second.getByText("Please log in to view your profile")).toBeVisible();
});

// Covered by "signing out in one tab signs out the other".
test("an open profile and the header show that the session has ended @slow", async ({
  browserOf,
}) => {
  const page = await browserOf("ravi@example.com", "/profile");
  await expect(page.getByRole("link", { name: "Ravi" })).toBeVisible();
  await scriptsRun(page);
  await page.context().clearCookies();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Please log in to view your profile").first()).toBeVisible();
  await expect(page.locator(".toasts_toast")).toContainText("Authentication Required");
  await expect(page.getByRole("link", { name: "Ravi" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Log in" })).toBeVisible();

  await page.getByRole("link", { name: "Login" }).click();
  await signIn(page, "ravi@example.com", "demo-Password1");
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole("heading", { name: "Your Review Services" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ravi" })).toBeVisible();
});

// Covered by "signing out in one tab signs out the other".
test("a page does nothing for another person who signs in in another tab @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const isFor = ({ email }: { email: string }) =>
    expect(page.getByText(`You are ${email}`)).toBeVisible();
  const page = await browserOf(customer.email);
  const context = page.context();
  await page.goto("/profile/mails");
  const choice = page.getByLabel("My review is ready");
  await choice.selectOption("Never");
  await signInByCookie(context, product, nila.email);
  await page.getByRole("button", { name: "Save" }).click();
  const toast = page.locator(".toasts_toast", { hasText: "You're logged in as someone else" });
  await expect(toast).toBeVisible();
  await expect(choice).toHaveValue("never");
  const chosen = product.db.select().from(chosenMails).where(eq(chosenMails.userId, nila.id));
  expect(await chosen).toEqual([]);
  await toast.getByRole("button", { name: "Reload" }).click();
  await isFor(nila);
  await expect(choice).toHaveValue("at once");

  // A screen with its own failure messages.
  await page.goto("/contact");
  await page.getByLabel("Subject").fill("A question");
  await page.getByPlaceholder("Type your message here...").fill("Where is my review?");
  await signInByCookie(context, product, customer.email);
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(toast).toBeVisible();
  await expect(page.getByText("There was a problem sending your message")).toHaveCount(0);

  await signInByCookie(context, product, nila.email);
  await page.goto("/services/resume-review");
  await signInByCookie(context, product, customer.email);
  await chooseFile(page, fixture("resume.pdf"));
  await toast.getByRole("button", { name: "Reload" }).click();
  await isFor(customer);

  await signInByCookie(context, product, nila.email);
  await page.goto("/profile");
  await scriptsRun(page);
  await signInByCookie(context, product, customer.email);
  const loaded = page.waitForEvent("load");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await loaded;
  await isFor(customer);
});

// Covered by "tests/journeys/accounts/accounts.spec.ts: a visitor signs up".
test("confirming an account signs in its owner instead of the current person @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const page = await browserOf(customer.email);
  await product.db.update(users).set({ emailVerified: false }).where(eq(users.id, nila.id));
  await page.goto(await createOneTimeLink(product.db, product.origin, "signup", nila.id));
  await expect(page.getByRole("heading", { name: "Your account is confirmed" })).toBeVisible();
  await expect(page.getByText(`You are ${nila.email}`)).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});
