import type { Page } from "@playwright/test";
import { eq, inArray } from "drizzle-orm";
import { now } from "../../../app/platform/clock.ts";
import { reviewAssignments, serviceReviews } from "../../../app/reviews/tables.server.ts";
import { assignedReview, pendingReviews } from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

const boxes = (page: Page) => page.getByRole("checkbox", { name: /^Select review/ });
const selectAll = (page: Page) => page.getByRole("checkbox", { name: /^Select all \d+ on this/ });
const turn = (page: Page, link: string) => page.getByRole("link", { name: link }).click();

test("a selection continues on other pages and after a reload, and each row is reported", async ({
  browserOf,
  product: { db },
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  const ids = await pendingReviews(db, customer, 55);
  const list = `/admin/reviews?search=${encodeURIComponent(customer.email)}`;
  const page = await browserOf("gita@example.in", list);
  const assign = page.getByRole("button", { name: /^Assign Selected/ });
  await page.getByRole("checkbox", { name: "Select all 50 on this page" }).check();
  await expect(assign).toHaveText("Assign Selected (50)");
  await boxes(page).first().uncheck();
  await turn(page, "Next page");
  await expect(boxes(page)).toHaveCount(5);
  await expect(assign).toHaveText("Assign Selected (49)");
  await expect(page.getByText("49 on other pages")).toBeVisible();
  await boxes(page).first().check();
  await page.reload();
  await expect(assign).toHaveText("Assign Selected (50)");
  await expect(boxes(page).first()).toBeChecked();
  await turn(page, "First page");
  await expect(boxes(page)).toHaveCount(50);
  await expect(boxes(page).first()).not.toBeChecked();
  await expect(boxes(page).nth(1)).toBeChecked();
  await page.getByLabel("Sort by").selectOption("Due first");
  await expect(page).toHaveURL(/sort=due/);
  await expect(assign).toHaveText("Assign Selected (50)");

  // One of them is assigned by someone else meanwhile.
  const selected = page.getByRole("checkbox", { name: /^Select review/, checked: true });
  const taken = await selected.nth(3).getAttribute("value");
  await db
    .insert(reviewAssignments)
    .values({ reviewId: taken!, reviewerId: omana.id, assignedAt: now() });
  await db
    .update(serviceReviews)
    .set({ status: "under_review" })
    .where(eq(serviceReviews.id, taken!));
  await page
    .locator(".lists_assign-bar")
    .getByLabel("Reviewer")
    .selectOption({ label: `${nila.fullName} (0)` });
  await assign.click();
  await expect(
    page.getByText("Assigned 49 reviews to reviewer. 1 review was already assigned."),
  ).toBeVisible();
  await expect(assign).toHaveText("Assign Selected (0)");
  const assigned = await db.$count(reviewAssignments, inArray(reviewAssignments.reviewId, ids));
  expect(assigned).toBe(50);
});

test("a new search or filter clears the selection, as does one button", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  for (const _ of [1, 2]) await assignedReview(product.db, customer, nila);
  const page = await browserOf(
    "gita@example.in",
    `/admin/reviews/assigned?search=${encodeURIComponent(customer.email)}`,
  );
  const reassign = page.getByRole("button", { name: /^Reassign Selected/ });
  await selectAll(page).check();
  await expect(reassign).toHaveText("Reassign Selected (2)");
  await page.getByRole("button", { name: "Clear selection" }).click();
  await expect(reassign).toBeHidden();
  await expect(selectAll(page)).toBeFocused();
  await selectAll(page).check();
  await page.getByLabel("Service type").selectOption("Resume Review");
  await expect(page).toHaveURL(/type=/);
  await expect(reassign).toBeHidden();
  await selectAll(page).check();
  await page.getByRole("searchbox").fill(customer.id);
  await expect(page).toHaveURL(new RegExp(customer.id));
  await expect(boxes(page)).toHaveCount(2);
  await expect(reassign).toBeHidden();
  await page.reload();
  await expect(reassign).toBeHidden();
});

test("at most 200 rows are selected, and no other tick is lost", async ({ browserOf, product }) => {
  const { customer } = await ownPeople(product);
  await pendingReviews(product.db, customer, 202);
  const page = await browserOf(
    "gita@example.in",
    `/admin/reviews?search=${encodeURIComponent(customer.email)}`,
  );
  const assign = page.getByRole("button", { name: /^Assign Selected/ });
  for (const count of [50, 100, 150, 200]) {
    await selectAll(page).check();
    await expect(assign).toHaveText(`Assign Selected (${count})`);
    await turn(page, "Next page");
    await expect(selectAll(page)).not.toBeChecked();
  }
  await boxes(page).first().click();
  await expect(page.getByRole("alert")).toContainText("You can select up to 200 at a time.");
  await expect(boxes(page).first()).not.toBeChecked();
  await expect(assign).toHaveText("Assign Selected (200)");
  await turn(page, "Previous page");
  await expect(selectAll(page)).toBeChecked();
  await boxes(page).first().uncheck();
  await expect(assign).toHaveText("Assign Selected (199)");
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("each page has its own selection", async ({ page, context, product }) => {
    const { customer, nila } = await ownPeople(product);
    const [one = "", two = ""] = await pendingReviews(product.db, customer, 3);
    await signInByCookie(context, product, "gita@example.in");
    await page.goto(`/admin/reviews?search=${encodeURIComponent(customer.email)}`);
    for (const id of [one, two]) await page.getByLabel(`Select review ${id}`).check();
    await page
      .locator(".lists_assign-bar")
      .getByLabel("Reviewer")
      .selectOption({ label: `${nila.fullName} (0)` });
    await page.getByRole("button", { name: /^Assign Selected/ }).click();
    await expect(page.getByText("Successfully assigned 2 reviews to reviewer")).toBeVisible();
    await expect(boxes(page)).toHaveCount(1);
  });
});
