import { pendingReview } from "../../support/rows/review-states.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test("Ctrl+K finds a person, and Enter opens the first result", async ({ browserOf, product }) => {
  const { customer } = await ownPeople(product);
  await pendingReview(product.db, customer);
  const page = await browserOf("gita@example.in", "/admin");
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("searchbox");
  await expect(field).toBeFocused();
  await expect(dialog.getByRole("link", { name: "Audit log" })).toBeVisible();
  await field.fill(customer.email);
  await expect(dialog.getByRole("heading", { name: "People" })).toBeVisible();
  await expect(dialog.getByRole("heading", { name: "Reviews" })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(field).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/admin/users/${customer.id}`);
  await expect(dialog).toBeHidden();
});

test("the search says when it found nothing and when the connection is lost", async ({
  browserOf,
}) => {
  const page = await browserOf("gita@example.in", "/admin");
  await page.getByRole("link", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("searchbox");
  await field.fill("nobody-like-this");
  await expect(dialog.getByText("Nothing matches “nobody-like-this”.")).toBeVisible();
  await page.context().setOffline(true);
  await field.fill("asha");
  await expect(dialog.getByText("The search failed.")).toBeVisible();
  await page.context().setOffline(false);
  await field.fill("asha@");
  await expect(dialog.getByRole("link", { name: /asha@example.com/ }).first()).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the search is a page", async ({ page, product }) => {
    await signInByCookie(page.context(), product, "gita@example.in");
    await page.goto("/admin");
    await page.getByRole("link", { name: "Search" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("asha@example.com");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page.getByRole("link", { name: /asha@example.com/ }).first()).toBeVisible();
  });
});
