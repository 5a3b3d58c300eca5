import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { day, hour, minute, now } from "../../../app/platform/clock.ts";
import { toDateTimeInput } from "../../../app/reviews/due-dates/due-dates.ts";
import { messages } from "../../../app/reviews/staff-rules.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { assignedReview, pendingReview, reviewRow } from "../../support/rows/review-states.ts";
import { endPayment, goToPayment, uploadResume } from "../support/steps.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test, whenLive } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

test("only the buyer sees the due date, at the payment and on the profile", async ({
  browserOf,
  product,
}) => {
  const { customer, omana } = await ownPeople(product);
  const page = await browserOf(customer.email);
  await uploadResume(page, "resume.pdf");
  await goToPayment(page);
  await endPayment(page, "Pay ₹199.00");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  const promise = page.getByText(/^due \w{3}, \w{3} \d+, \d+:\d\d [AP]M, 4[78] hours left$/);
  await expect(promise).toBeVisible();
  const other = await browserOf(omana.email, page.url());
  await expect(other.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  expect(await other.content()).not.toContain("hours left");
  await page.goto("/profile");
  await expect(page.getByText(/^due \w{3}, \w{3} \d+, \d+:\d\d [AP]M/)).toBeVisible();
});

// Covered by "an open review becomes overdue".
test("a screen left open for days reloads when its reader comes back @slow", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const { db } = product;
  const dueAt = new Date(now().getTime() + 4 * hour + 30 * minute);
  const id = await assignedReview(db, customer, nila, { dueAt });
  const profile = await browserOf(customer.email, "/profile");
  await expect(profile.getByText("4 hours left")).toBeVisible();
  const result = whenLive(await profile.context().newPage());
  await result.goto(`/service-review/${id}`);
  await expect(result.getByText("This review is still under review.")).toBeVisible();

  const own = eq(serviceReviews.id, id);
  await db
    .update(serviceReviews)
    .set({ dueAt: new Date(now().getTime() - 26 * hour) })
    .where(own);
  await comeBackTo(profile);
  await expect(profile.getByText("overdue by 26 hours")).toBeVisible();
  await db
    .update(serviceReviews)
    .set({ status: "completed", reviewerFeedback: "Lead with the outcome." })
    .where(own);
  await comeBackTo(profile);
  await expect(profile.getByRole("link", { name: /^View Details/ })).toBeVisible();
  await comeBackTo(result);
  await expect(result.getByText("Lead with the outcome.")).toBeVisible();
});

/** Sends the visibility events that a headless tab does not get. */
async function comeBackTo(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
}

test("an open review becomes overdue as time passes, whatever the browser's clock says", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const id = await assignedReview(product.db, customer, nila, {
    dueAt: new Date(now().getTime() + 4 * hour + 30 * minute),
  });
  const page = await browserOf(nila.email);
  await page.route("**/storage/**", (route) => route.fulfill({ contentType: "text/html" }));
  await page.clock.install({ time: "2020-01-01T00:00:00Z" });
  await page.goto(`/reviewer/submission/${id}`);
  const due = page.locator(".due-date");
  await expect(due).toContainText("4 h left");
  await page.clock.fastForward(2 * hour);
  await expect(due).toContainText("2 h left");
  await page.clock.fastForward(5 * hour);
  await expect(due).toHaveText(/^Overdue 2 h, was due \w{3}, \w{3} \d+, \d+:\d\d [AP]M$/);
});

test("an admin sorts by due date and sets a later one, which the customer sees", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const inTime = await assignedReview(product.db, customer, nila, {
    dueAt: new Date(now().getTime() + 4 * hour + 30 * minute),
    assignedAt: new Date(now().getTime() - day),
  });
  const id = await assignedReview(product.db, customer, nila, {
    dueAt: new Date(now().getTime() - 2 * hour - 30 * minute),
  });
  const page = await browserOf("gita@example.in", `/admin/reviews/assigned?reviewer=${nila.id}`);
  const rows = page.locator("tbody tr:not(.table_group)");
  await expect(rows.first()).toContainText(inTime);
  await page.getByLabel("Sort by").selectOption("Due first");
  await expect(rows.first()).toContainText(id);
  await expect(rows).toContainText([/Overdue 2 h/, /4 h left/]);

  await page.getByLabel(`Actions for review ${id}`).click();
  await page.getByRole("link", { name: "Set Later Due Date" }).click();
  const dialog = page.getByRole("dialog", { name: "Set Later Due Date" });
  const save = dialog.getByRole("button", { name: "Save and Tell the Customer" });
  const until = new Date(Math.floor((now().getTime() + 3 * day) / minute) * minute);
  await dialog.getByLabel("New due date, in Indian time").fill(toDateTimeInput(until));
  await dialog.getByLabel("Reason").fill("The reviewer fell ill.");
  await save.click();
  await expect(page.getByText("Due date extended. We've emailed the customer.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(rows.first()).toContainText(inTime);
  expect((await reviewRow(product.db, id)).review.extendedTo).toEqual(until);

  const own = await browserOf(customer.email, `/service-review/${id}`);
  await expect(own.locator(".due-date")).toHaveText(
    /^due \w{3}, \w{3} \d+, \d+:\d\d [AP]M (71|72) hours left|3 days left \(first due \w{3}, \w{3} \d+, \d+:\d\d [AP]M\)$/,
  );
  const work = await browserOf(nila.email, "/reviewer?sort=due");
  await expect(work.locator(".dashboard_assignments .due-date_left")).toHaveText([
    /^4 h left$/,
    /^Due \w{3}, \w{3} \d+$/,
  ]);
});

for (const list of ["", "/assigned"]) {
  test(`a refused due date on ${list || "/"} shows one error, without scripts`, async ({
    browser,
    product,
  }) => {
    const { customer, nila } = await ownPeople(product);
    const dueAt = new Date(now().getTime() + 4 * hour);
    const id = list
      ? await assignedReview(product.db, customer, nila, { dueAt })
      : await pendingReview(product.db, customer, { dueAt });
    const page = await openPlainPage(browser, product, "gita@example.in");
    const filter = list ? `reviewer=${nila.id}&` : "";
    await page.goto(`/admin/reviews${list}?${filter}sort=due&extend=${id}`);
    const dialog = page.locator(".dialog_in-page");
    await dialog.getByLabel("Reason").fill("The reviewer fell ill.");
    const another = { extendedTo: new Date(dueAt.getTime() + hour) };
    await product.db.update(serviceReviews).set(another).where(eq(serviceReviews.id, id));
    await dialog.getByRole("button", { name: "Save and Tell the Customer" }).click();
    await expect(dialog.getByText(messages.changedMeanwhile)).toBeVisible();
    await expect(dialog.getByLabel("Reason")).toHaveValue("The reviewer fell ill.");
    await expect(page.locator(".field_form-alert")).toHaveCount(1);
    await page.context().close();
  });
}
