import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { day, now } from "../../../app/platform/clock.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { assignedReview, pendingReviews, reviewRow } from "../../support/rows/review-states.ts";
import { openAssigned, ownPeople } from "../support/staff.ts";
import { comeBack, holdBack } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

const tick = (page: Page, id: string) =>
  page.getByRole("checkbox", { name: `Select review ${id}` });
const reviewer = (page: Page) =>
  page.locator(".lists_assign-bar").getByLabel("Reviewer", { exact: true });

test("an admin assigns selected reviews; a filter clears the selection", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const [one = "", two = ""] = await pendingReviews(product.db, customer, 3);
  const page = await browserOf("gita@example.in", "/admin/reviews");
  const assign = page.getByRole("button", { name: /^Assign Selected/ });
  await expect(assign).toHaveText("Assign Selected (0)");
  await tick(page, one).check();
  await expect(assign).toHaveText("Assign Selected (1)");
  await expect(assign).toBeDisabled();

  await page.getByLabel("Service type").selectOption("Resume Review");
  await expect(page).toHaveURL(/type=resume_review/);
  await expect(assign).toHaveText("Assign Selected (0)");
  const listedCount = await page.getByRole("checkbox", { name: /^Select review/ }).count();
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await expect(assign).toHaveText(`Assign Selected (${listedCount})`);
  await page.getByRole("checkbox", { name: "Select all" }).uncheck();

  await tick(page, one).check();
  await tick(page, two).check();
  await reviewer(page).selectOption({ label: `${nila.fullName} (0)` });
  await assign.click();
  await expect(page.getByText("Successfully assigned 2 reviews to reviewer")).toBeVisible();
  await expect(tick(page, one)).toHaveCount(0);
  await expect(assign).toHaveText("Assign Selected (0)");
  await expect(page.getByRole("option", { name: `${nila.fullName} (2)` })).toHaveCount(1);
  for (const id of [one, two]) {
    const { review, assignment } = await reviewRow(product.db, id);
    expect([review.status, assignment?.reviewerId]).toEqual(["under_review", nila.id]);
  }
});

test("a bulk reassignment skips reviews that the reviewer already has", async ({
  browserOf,
  product,
}) => {
  const { customer, nila, omana } = await ownPeople(product);
  // The list shows the longest assigned first.
  const assignedAt = new Date(now().getTime() - 500 * day);
  const ids = await Promise.all(
    [nila, nila, omana].map((assignee) =>
      assignedReview(product.db, customer, assignee, { assignedAt }),
    ),
  );
  const page = await browserOf("gita@example.in", "/admin/reviews/assigned");
  for (const id of ids) await tick(page, id).check();
  await expect(page.getByRole("button", { name: "Reassign Selected (3)" })).toBeVisible();
  await reviewer(page).selectOption({ label: `${omana.fullName} (1)` });
  await page.getByRole("button", { name: "Reassign Selected (3)" }).click();
  await expect(page.getByText("Reassigned 2 out of 3 reviews")).toBeVisible();
  await expect(page.getByText("1 review is already assigned to this reviewer.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Reassign Selected/ })).toHaveCount(0);

  await page.goto(`/admin/reviews/assigned?reviewer=${omana.id}`);
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await page.getByRole("button", { name: "Unassign Selected (3)" }).click();
  const question = page.getByRole("dialog", { name: "Unassign reviews" });
  await expect(question).toContainText(
    "Are you sure you want to unassign 3 reviews? This will return them to the pending queue.",
  );
  const release = await holdBack(page, /\/assigned\.data/, "POST");
  await question.getByRole("button", { name: "Unassign" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Please wait, changes are being saved...")).toBeVisible();
  await expect(question).toBeVisible();
  release();
  await expect(page.getByText("Successfully unassigned 3 reviews")).toBeVisible();
  for (const id of ids) {
    const { review, assignment } = await reviewRow(product.db, id);
    expect([review.status, assignment]).toEqual(["pending", null]);
  }
});

test("unassigning a review from its row keeps the filter and the rest of the selection", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const [one, two] = [
    await assignedReview(product.db, customer, nila),
    await assignedReview(product.db, customer, nila),
  ];
  const page = await browserOf("gita@example.in");
  const list = `/admin/reviews/assigned?reviewer=${nila.id}`;
  await page.goto(list);
  await tick(page, two).check();
  await page.getByLabel(`Actions for review ${one}`).click();
  await page.getByRole("link", { name: "Unassign" }).click();
  const question = page.getByRole("dialog", { name: "Unassign" });
  await question.getByRole("button", { name: "Unassign" }).dblclick();
  await expect(
    page.getByText(/^(Successfully unassigned|Review unassigned)/).first(),
  ).toBeVisible();
  await expect(tick(page, one)).toHaveCount(0);
  await expect(tick(page, two)).not.toBeChecked();
  await expect(page).toHaveURL(list);
  await expect(page.getByText(/^Failed/)).toHaveCount(0);
});

test("a double click assigns a review only once", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  const ids = await pendingReviews(product.db, customer, 2);
  const page = await browserOf("gita@example.in", "/admin/reviews");
  const assign = page.getByRole("button", { name: /^Assign Selected/ });
  const doubleClicks = [
    () => assign.dblclick(),
    () =>
      assign.evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      }),
  ];
  for (const [index, click] of doubleClicks.entries()) {
    await tick(page, ids[index]!).check();
    await reviewer(page).selectOption({ label: `${nila.fullName} (${index})` });
    await click();
    await expect(tick(page, ids[index]!)).toHaveCount(0);
  }
  await expect(page.getByText("Successfully assigned 1 review to reviewer")).toHaveCount(2);
  await expect(page.getByText(/already assigned/)).toHaveCount(0);
});

test("an admin sets a priority with only the keyboard", async ({ browserOf, product }) => {
  const { page, id } = await openAssigned(product, browserOf);
  await expect(page.getByRole("checkbox", { name: "Select all" })).toBeEnabled();
  await tick(page, id).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Reassign Selected (1)" })).toBeVisible();
  await page.getByRole("button", { name: "Reassign Selected (1)" }).click();
  await expect(page.getByText("Please select a reviewer first")).toBeVisible();
  await page.keyboard.press("Space");
  await page.getByLabel(`Actions for review ${id}`).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Edit Priority" })).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Priority").focus();
  await page.keyboard.press("H");
  await expect(dialog.getByLabel("Priority")).toHaveValue("3");
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "Save Changes" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "High" })).toBeVisible();
  expect((await reviewRow(product.db, id)).review.priority).toBe(3);
});

test("a list reloads when the tab regains focus, without disturbing a selection or a dialog", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const [one, two] = [
    await assignedReview(product.db, customer, nila),
    await assignedReview(product.db, customer, nila),
  ];
  const page = await browserOf("gita@example.in", `/admin/reviews/assigned?reviewer=${nila.id}`);
  const cells = (id: string) => page.getByRole("row").filter({ has: tick(page, id) });
  await tick(page, one).check();
  const setTo = (priority: number) =>
    product.db.update(serviceReviews).set({ priority }).where(eq(serviceReviews.id, two));
  await setTo(3);
  await comeBack(page);
  await expect(cells(two)).toContainText("High");
  await expect(tick(page, one)).toBeChecked();

  await page.getByLabel(`Actions for review ${two}`).click();
  await page.getByRole("link", { name: "Edit Priority" }).click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await expect(dialog).toBeVisible();
  await setTo(2);
  await comeBack(page);
  await expect(dialog.getByLabel("Priority")).toHaveValue("3");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(cells(two)).toContainText("High");
  await comeBack(page);
  await expect(cells(two)).toContainText("Medium");
});

// Covered by "an admin assigns selected reviews".
test("the sort menu shows the order given in the address @slow", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in");
  for (const [sort, label] of [
    ["created_at.asc", "Submission Date, ascending"],
    ["assigned_at.desc", "Date Assigned, descending"],
    ["due.desc", "Due Date, descending"],
    ["created_at", "Days Assigned, descending"],
    ["nothing.asc", "Days Assigned, descending"],
  ]) {
    await page.goto(`/admin/reviews/assigned?sort=${sort}`);
    await expect(page.getByLabel("Sort by").locator("option:checked")).toHaveText(label!);
  }
});

test("filtering a list doesn't move the focus", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in", "/admin/reviews/assigned");
  const release = await holdBack(page, /\/assigned\.data/);
  await page.getByLabel("Service type").selectOption("Resume Review");
  const reviewers = page.locator(".lists_filters").getByLabel("Reviewer");
  await reviewers.focus();
  release();
  await expect(page).toHaveURL(/type=resume_review/);
  await expect(reviewers).toBeFocused();
});
