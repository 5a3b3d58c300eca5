import type { Locator } from "@playwright/test";
import { expect, test } from "../support/test.ts";

const address = "/services/example-review";

test("remarks are read by keyboard, filtered by severity and ticked off", async ({ page }) => {
  await page.goto(address);
  const nextRemark = page.getByRole("button", { name: "Next remark" });
  await nextRemark.press("Enter");
  await expect(page.locator("#remark-1")).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.locator("#remark-2")).toBeFocused();
  await page.keyboard.press("Shift+N");
  await expect(page.locator("#remark-1")).toBeFocused();
  await page.keyboard.press("Shift+N");
  await expect(page.locator(".marked-remark").last()).toBeFocused();

  const must = page.getByRole("radio", { name: /^Must fix/ });
  await must.focus();
  await page.keyboard.press("Space");
  const visible = page.locator(".marked-remark:visible");
  await expect(visible).toHaveCount(9);
  await expect(page.locator(".marked-sheet .pins a:visible")).toHaveCount(9);
  for (const kind of await visible.locator(".marked-remark-kind strong").allTextContents())
    expect(kind).toBe("Must fix");
  await page.keyboard.press("n");
  await expect(visible.first()).toBeFocused();

  await expect(page.getByText("22 of 22 left to do")).toBeVisible();
  await visible.first().getByRole("checkbox").press("Space");
  await expect(page.getByText("21 of 22 left to do")).toBeVisible();
  await expect(visible.first()).toHaveAttribute("data-done");
});

test("a pin and its remark highlight and link to each other", async ({ page }) => {
  await page.goto(address);
  const pin = page.locator("#pin-3");
  await pin.hover();
  await expect(page.locator("#remark-3")).toHaveAttribute("data-lit");
  await page.locator("#remark-4").hover();
  await expect(markOf(page.locator("#pin-4"))).toHaveAttribute("data-lit");
  await expect(markOf(pin)).not.toHaveAttribute("data-lit");

  await pin.press("Enter");
  await expect(page.locator("#remark-3")).toBeFocused();
  await expect(pin).toBeInViewport();
  await page.getByRole("link", { name: "Remark 3: to its place on the page" }).press("Enter");
  await expect(pin).toBeFocused();
});

/** The pin with its line and its box. */
function markOf(pin: Locator): Locator {
  return pin.locator("xpath=..");
}

test("the first pin is on the first screen, and the same remark has one place to go to", async ({
  page,
}) => {
  for (const [width, most] of [
    [1280, 700],
    [360, 560],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(address);
    const box = await page.locator(".opening .pins a").first().boundingBox();
    expect(box!.y).toBeLessThan(most);
    expect(await page.locator("[id=pin-2]").count()).toBe(1);
  }
  await page.locator(".opening .pins a").first().press("Enter");
  await expect(page.locator("#remark-2")).toBeFocused();
});

test("a suggestion is copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(address);
  const remark = page.locator("#remark-2");
  await remark.getByRole("button", { name: "Copy the suggestion" }).press("Enter");
  await expect(remark.getByRole("button", { name: "Copied the suggestion" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(await remark.locator("ins").textContent()).toBe(copied);
});

test("a priority links to its remark even if its severity is filtered out", async ({ page }) => {
  await page.goto(address);
  await page.getByRole("radio", { name: /^Idea/ }).press("Space");
  await page.locator(".first-things a").first().press("Enter");
  await expect(page.locator(".marked-remark:focus")).toContainText("which part is yours");
  await expect(page.getByRole("radio", { name: /^All/ })).toBeChecked();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("pins link to remarks, and remarks are filtered by severity", async ({ page }) => {
    await page.goto(address);
    await page.locator("#pin-5").press("Enter");
    await expect(page).toHaveURL(/#remark-5$/);
    await expect(page.locator("#remark-5")).toBeInViewport();
    await page.getByRole("radio", { name: /^Keep/ }).check({ force: true });
    await expect(page.locator(".marked-remark:visible")).toHaveCount(4);
    await expect(page.getByRole("button", { name: "Next remark" })).toBeHidden();
  });
});
