import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { profiles } from "../../../app/accounts/tables.server.ts";
import { hour, now } from "../../../app/platform/clock.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../support/rows/review-states.ts";
import { ownOverdueWork, ownPeople, ownWork } from "../support/staff.ts";
import { expect, reloadWithFonts, test } from "../support/test.ts";

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 800 };

test("an admin's tables are cards on a phone, with all actions within the screen", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  await pendingReview(product.db, customer);
  await assignedReview(product.db, customer, nila);
  await completedReview(product.db, customer, nila);
  const page = await browserOf("gita@example.in");
  await page.setViewportSize(phone);
  for (const path of [
    "/admin/users",
    "/admin/reviews",
    "/admin/reviews/assigned",
    "/admin/reviews/completed",
  ]) {
    await page.goto(path);
    await expect(page.locator(".admin_side")).toHaveAttribute("data-live", "true");
    await expectCards(page);
    const menu = page.locator("tbody .row-menu > a").first();
    if ((await menu.count()) === 0) continue;
    await menu.click();
    await expectWithin(page, page.locator("tbody .row-menu > :popover-open a").first());
  }
  await page.goto("/admin/jobs");
  await expectWithin(page, page.getByRole("button", { name: /Archive/ }).first());
});

test("a card on a phone starts with the customer and the service, and ends with the id", async ({
  browserOf,
  product,
}) => {
  const { nila } = await ownOverdueWork(product);
  const page = await browserOf("gita@example.in");
  await page.setViewportSize(phone);
  await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
  const findTop = async (label: string) =>
    (await page.locator(`tbody tr:first-child td[data-label="${label}"]`).boundingBox())!.y;
  const order = ["User", "Service Type", "Resource", "Days Since Purchase", "Review ID"];
  const tops = await Promise.all(order.map(findTop));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(await findTop("Assigned To")).toBe(tops[2]);
  await expectWithin(page, page.getByText("Overdue 2 h", { exact: true }));
  expect((await page.locator("tbody tr").first().boundingBox())!.height).toBeLessThanOrEqual(170);
});

test("the due time has a line of its own below the customer's name", async ({
  browserOf,
  product,
}) => {
  const { customer, nila } = await ownPeople(product);
  const dueAt = new Date(now().getTime() - 4.5 * hour);
  await assignedReview(product.db, customer, nila, { dueAt });
  await assignedReview(product.db, customer, nila, { dueAt: null });
  const page = await browserOf("gita@example.in");
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
    for (const words of ["Overdue 4 h", "No due date"]) {
      const cell = page.locator("td", { hasText: words });
      const due = (await cell.getByText(words, { exact: true }).boundingBox())!;
      const name = (await cell.getByText(customer.fullName!).boundingBox())!;
      expect(due.y).toBeGreaterThanOrEqual(name.y + name.height);
    }
  }
});

test("the first assigned review is near the top, and stays there when it is selected", async ({
  browserOf,
  product,
}) => {
  const { nila } = await ownOverdueWork(product);
  const longName = "Nila Subramaniam Ramakrishnan-Iyer of Tiruchirappalli";
  await product.db.update(profiles).set({ fullName: longName }).where(eq(profiles.id, nila.id));
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews/assigned");
  await reloadWithFonts(page);
  for (const [size, mostPx] of [
    [desktop, 400],
    [phone, 560],
  ] as const) {
    await page.setViewportSize(size);
    await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
    await expect(page.getByText("1 overdue")).toBeVisible();
    const row = page.locator("tbody tr").first();
    const top = (await row.boundingBox())!.y;
    expect(top).toBeLessThanOrEqual(mostPx);
    await page.getByRole("checkbox", { name: /^Select review/ }).check();
    await expect(page.getByRole("button", { name: "Reassign Selected (1)" })).toBeVisible();
    expect((await row.boundingBox())!.y).toBe(top);
  }
});

test("a row of tabs shows a part of the tab before the current one", async ({ browserOf }) => {
  const page = await browserOf("gita@example.in");
  await page.setViewportSize(phone);
  await page.goto("/admin/reviews/assigned");
  const tabs = page.getByRole("navigation", { name: "Reviews" });
  await expect(tabs.getByRole("link", { name: "Assigned Reviews" })).toBeInViewport({ ratio: 1 });
  await expect(tabs.getByRole("link", { name: "Pending Reviews" })).toBeInViewport();
  await expect(tabs.getByRole("link", { name: "Completed Reviews" })).toBeInViewport();
});

test("a priority shifts nothing on the cards of reviews", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  for (const priority of [0, 3]) {
    await pendingReview(product.db, customer, { priority });
    await assignedReview(product.db, customer, nila, { priority });
  }
  const admin = await browserOf("gita@example.in");
  await admin.setViewportSize(phone);
  for (const path of [
    `/admin/reviews?search=${customer.email}`,
    `/admin/reviews/assigned?reviewer=${nila.id}`,
  ]) {
    await admin.goto(path);
    await expect(admin.locator("tbody tr")).toHaveCount(2);
    await expect(admin.locator("tbody .badge", { hasText: "High" })).toHaveCount(1);
    const [one, other] = await listLeftEdges(admin, "tbody tr", "td[data-label]");
    expect(one).toEqual(other);
  }
  const reviewer = await browserOf(nila.email);
  await reviewer.setViewportSize(phone);
  await reviewer.goto("/reviewer");
  await expect(reviewer.locator(".dashboard_assignments .badge", { hasText: "High" })).toHaveCount(
    1,
  );
  const parts = ".card_head > *, .badge:last-child, .card_body p, .button";
  const [one, other] = await listLeftEdges(reviewer, ".dashboard_assignments > li", parts);
  expect(one).toEqual(other);
});

test("a reviewer's cards fit a phone and open the review", async ({ browserOf, product }) => {
  const { customer, nila } = await ownPeople(product);
  await ownWork(product, customer, nila, "under_review");
  const page = await browserOf(nila.email);
  await page.setViewportSize(phone);
  await page.goto("/reviewer");
  await expectWithin(page, page.getByRole("link", { name: "Review This Order" }));
  await page.getByRole("link", { name: "Review This Order" }).click();
  await expect(page.getByRole("button", { name: "Submit Review" })).toBeDisabled();
  await expectWithin(page, page.getByRole("button", { name: "Submit Review" }));
});

test("an adder's listings and their actions fit a phone", async ({ browserOf }) => {
  const page = await browserOf("devi@example.in");
  await page.setViewportSize(phone);
  await page.goto("/job-board");
  await expectWithin(page, page.getByRole("button", { name: /Archive/ }).first());
  await expectWithin(page, page.getByRole("link", { name: /Edit/ }).first());
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click();
  await expectWithin(page, page.getByRole("link", { name: "Delete" }));
});

async function expectCards(page: Page) {
  const cell = page.locator("tbody td[data-label]").first();
  await expect(cell).toBeVisible();
  // Links in an invisible header would take the focus unseen.
  await expect(page.locator("thead").first()).toBeHidden();
  const tops = await page
    .locator("tbody tr:first-child td[data-label]")
    .evaluateAll((cells) => cells.map((shown) => shown.getBoundingClientRect().top));
  expect(Math.max(...tops)).toBeGreaterThan(Math.min(...tops));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
}

async function expectWithin(page: Page, part: ReturnType<Page["locator"]>) {
  await part.scrollIntoViewIfNeeded();
  await expect(part).toBeInViewport({ ratio: 0.99 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
}

/** Lists the left edges of the visible parts of each card, in pixels. */
function listLeftEdges(page: Page, card: string, parts: string): Promise<number[][]> {
  return page
    .locator(card)
    .evaluateAll(
      (cards, within) =>
        cards.map((shown) =>
          [...shown.querySelectorAll(within)]
            .filter((part) => part.checkVisibility())
            .map((part) => part.getBoundingClientRect().left),
        ),
      parts,
    );
}
