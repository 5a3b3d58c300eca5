import type { Page } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const admin = "gita@example.in";

test("the side menu folds with Ctrl+B and stays folded after a reload", async ({ browserOf }) => {
  const page = await browserOf(admin, "/admin");
  const side = page.locator(".admin_side[data-live]");
  const menu = side.getByRole("navigation", { name: "Admin Dashboard" });
  await expect(menu.getByRole("link")).toHaveText([
    "Overview",
    "Users",
    "Reviews",
    "Job Board",
    "Settings",
  ]);
  await expect(side).toHaveCSS("width", await rems(page, 16));
  await page.keyboard.press("Control+b");
  await expect(side).toHaveCSS("width", await rems(page, 3));
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "side-menu");
  const days = (cookie!.expires - Date.now() / 1000) / (24 * 60 * 60);
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThan(7.01);

  await page.reload();
  await expect(side).toHaveCSS("width", await rems(page, 3));
  await menu.getByRole("link", { name: "Users" }).click();
  await expect(page.getByRole("heading", { name: "Users Management" })).toBeVisible();
  await page.keyboard.press("Meta+b");
  await expect(side).toHaveCSS("width", await rems(page, 16));
});

test("on a narrow screen the side menu is a drawer that closes in several ways", async ({
  browserOf,
}) => {
  const page = await browserOf(admin);
  await page.setViewportSize({ width: 767, height: 800 });
  await page.goto("/admin");
  const button = page.getByRole("button", { name: "Admin menu" });
  const drawer = page.getByRole("dialog", { name: "Admin Dashboard" });
  await button.click();
  await expect(drawer).toHaveCSS("width", await rems(page, 18));
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press("Control+b");
  await expect(drawer).toBeVisible();
  await page.mouse.click(700, 400);
  await expect(drawer).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  await drawer.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await expect(drawer).toBeHidden();

  await button.click();
  await expect(drawer).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(drawer).toBeHidden();
});

test("a tooltip appears on focus, or after hovering, and closes with Escape", async ({
  browserOf,
}) => {
  const page = await browserOf(admin, "/admin");
  const toggle = page.getByRole("button", { name: "Admin menu" });
  const tooltip = page.getByRole("tooltip");
  await expect(toggle).toBeEnabled();
  const hoveredAt = performance.now();
  await toggle.hover();
  await expect(toggle).toHaveAccessibleDescription("Admin menu Ctrl B");
  expect(performance.now() - hoveredAt).toBeGreaterThan(650);
  // The pointer can move onto the tooltip.
  await tooltip.hover();
  await expect(tooltip).toBeVisible();
  await page.mouse.move(800, 500);
  await expect(tooltip).toBeHidden();

  await page.keyboard.press("Control+b");
  const menu = page.getByRole("navigation", { name: "Admin Dashboard" });
  await menu.getByRole("link", { name: "Users" }).focus();
  await page.keyboard.press("Tab");
  await expect(tooltip).toHaveText("Reviews");
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();
});

/** Formats CSS pixels as computed from the root's font size. */
async function rems(page: Page, count: number): Promise<string> {
  const size = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  return `${count * Number.parseFloat(size)}px`;
}
