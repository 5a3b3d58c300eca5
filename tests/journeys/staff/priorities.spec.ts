import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { assignedReview, pendingReviews, reviewRow } from "../../support/rows/review-states.ts";
import { openAssigned, ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

const high = (page: Page) => page.getByRole("row").filter({ hasText: "High" });
const undo = (page: Page) => page.locator(".toasts_toast").getByRole("button", { name: "Undo" });

async function setPriority(page: Page, name: string) {
  await page.getByRole("button", { name: "Priority", exact: true }).click();
  await page.locator(".row-menu_popover-panel").getByLabel("Priority").selectOption(name);
  await page.getByRole("button", { name: /^Set Priority/ }).click();
}

test("an admin sets the priority of selected reviews, and undoes it", async ({
  browserOf,
  product,
}) => {
  const { customer } = await ownPeople(product);
  const ids = await pendingReviews(product.db, customer, 3);
  await product.db
    .update(serviceReviews)
    .set({ priority: 1 })
    .where(eq(serviceReviews.id, ids[0]!));
  const page = await browserOf(
    "gita@example.in",
    `/admin/reviews?search=${encodeURIComponent(customer.email)}`,
  );
  const panel = page.getByRole("button", { name: "Priority", exact: true });
  await expect(panel).toBeDisabled();
  await page.getByRole("checkbox", { name: "Select all 3 on this page" }).check();
  await setPriority(page, "High");
  await expect(page.getByText("Set the priority of 3 reviews to High")).toBeVisible();
  await expect(high(page)).toHaveCount(3);
  await expect(panel).toBeDisabled();

  await undo(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Restored the priority of 3 reviews")).toBeVisible();
  await expect(undo(page)).toHaveCount(0);
  await expect(high(page)).toHaveCount(0);
  expect((await reviewRow(product.db, ids[0]!)).review.priority).toBe(1);
});

test("an undo after someone else's change says why nothing changed", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openAssigned(product, browserOf);
  await page.getByLabel(`Actions for review ${id}`).click();
  await page.getByRole("link", { name: "Edit Priority" }).click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await dialog.getByLabel("Priority").selectOption("High");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await product.db.update(serviceReviews).set({ priority: 2 }).where(eq(serviceReviews.id, id));
  await undo(page).click();
  await expect(page.getByText("The priority was changed again after that")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Medium" })).toHaveCount(1);
});

test("a toast with Undo stays while the pointer or the focus is on it", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openAssigned(product, browserOf);
  await page.clock.install();
  await page.getByLabel(`Select review ${id}`).check();
  await setPriority(page, "High");
  await expect(undo(page)).toBeVisible();
  await undo(page).hover();
  await page.clock.runFor(20_000);
  await expect(undo(page)).toBeVisible();
  await undo(page).focus();
  await page.mouse.move(0, 0);
  await undo(page).focus();
  await page.clock.runFor(20_000);
  await expect(undo(page)).toBeVisible();
  await page.locator("main").evaluate((main) => {
    (document.activeElement as HTMLElement).blur();
    main.focus();
  });
  await page.clock.runFor(20_000);
  await expect(undo(page)).toHaveCount(0);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the page after the change has the button that undoes it", async ({
    page,
    context,
    product,
  }) => {
    const { customer, nila } = await ownPeople(product);
    const id = await assignedReview(product.db, customer, nila);
    await signInByCookie(context, product, "gita@example.in");
    await page.goto(`/admin/reviews/assigned?reviewer=${nila.id}`);
    await page.getByLabel(`Select review ${id}`).check();
    await setPriority(page, "Medium");
    await expect(page.getByText("Set the priority of 1 review to Medium")).toBeVisible();
    expect((await reviewRow(product.db, id)).review.priority).toBe(2);
    await undo(page).click();
    await expect(page.getByText("Restored the priority of 1 review")).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`reviewer=${nila.id}`));
    expect((await reviewRow(product.db, id)).review.priority).toBe(0);
  });
});
