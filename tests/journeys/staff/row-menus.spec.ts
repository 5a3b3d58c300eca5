import { pendingReview } from "../../support/rows/review-states.ts";
import { openAssigned, ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test("a row's menu opens and closes by presses and keys, and only it is in the page", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openAssigned(product, browserOf);
  const button = page.getByRole("button", { name: `Actions for review ${id}` });
  const first = page.getByRole("link", { name: "Reassign", exact: true });
  const last = page.getByRole("button", { name: "Copy user ID" });
  await expect(first).toHaveCount(0);
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await button.click();
  await expect(first).toBeVisible();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await button.click();
  await expect(first).toHaveCount(0);
  for (const key of ["Enter", "Space"]) {
    await button.press(key);
    await expect(first).toBeVisible();
    await button.press(key);
    await expect(first).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await button.press("ArrowUp");
  await expect(last).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(first).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(first).toHaveCount(0);
  await expect(button).toBeFocused();
  expect(new URL(page.url()).searchParams.has("menu")).toBe(false);
});

test("a menu that was pressed before scripts ran is open in the reloaded page", async ({
  browserOf,
  product,
}) => {
  const { page, id } = await openAssigned(product, browserOf);
  await page.goto(`${page.url()}&menu=${id}`);
  const item = page.getByRole("link", { name: "Edit Priority" });
  await expect(item).toBeVisible();
  await expect(page.locator(".row-menu > :popover-open")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(item).toHaveCount(0);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test("a row's menu is a link to the same list, and another press closes it", async ({
    page,
    context,
    product,
  }) => {
    const { customer } = await ownPeople(product);
    const id = await pendingReview(product.db, customer);
    await signInByCookie(context, product, "gita@example.in");
    const list = `/admin/reviews?search=${encodeURIComponent(customer.email)}`;
    await page.goto(list);
    const button = page.getByRole("button", { name: `Actions for review ${id}` });
    const item = page.getByRole("link", { name: "Set Priority" });
    await button.click();
    await expect(item).toBeInViewport({ ratio: 1 });
    await button.click();
    await expect(item).toHaveCount(0);
    await expect(page).toHaveURL(list);
    await button.click();
    await item.click();
    await expect(page.getByRole("dialog", { name: "Set Priority" })).toBeVisible();
  });
});
