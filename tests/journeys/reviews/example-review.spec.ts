import { expect, test } from "../support/test.ts";

const address = "/services/example-review";

test("remarks are read one after the other by keyboard, chosen by severity, and ticked off", async ({
  page,
}) => {
  await page.goto(address);
  const way = page.getByRole("button", { name: "Next remark" });
  await way.press("Enter");
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
  const shown = page.locator(".marked-remark:visible");
  await expect(shown).toHaveCount(9);
  await expect(page.locator(".pins a:visible")).toHaveCount(9);
  for (const kind of await shown.locator(".marked-remark-kind strong").allTextContents())
    expect(kind).toBe("Must fix");
  await page.keyboard.press("n");
  await expect(shown.first()).toBeFocused();

  await expect(page.getByText("22 of 22 left to do")).toBeVisible();
  await shown.first().getByRole("checkbox").press("Space");
  await expect(page.getByText("21 of 22 left to do")).toBeVisible();
  await expect(shown.first()).toHaveAttribute("data-done");
});

test("a pin and its remark light up together, and lead to each other", async ({ page }) => {
  await page.goto(address);
  const pin = page.locator("#pin-3");
  await pin.hover();
  await expect(page.locator("#remark-3")).toHaveAttribute("data-lit");
  await page.locator("#remark-4").hover();
  await expect(page.locator("#pin-4")).toHaveAttribute("data-lit");
  await expect(pin).not.toHaveAttribute("data-lit");

  await pin.press("Enter");
  await expect(page.locator("#remark-3")).toBeFocused();
  await expect(pin).toBeInViewport();
  await page.getByRole("link", { name: "Remark 3: to its place on the page" }).press("Enter");
  await expect(pin).toBeFocused();
});

test("what is to be done first leads to its remark, though its severity is not shown", async ({
  page,
}) => {
  await page.goto(address);
  await page.getByRole("radio", { name: /^Idea/ }).press("Space");
  await page.locator(".first-things a").first().press("Enter");
  await expect(page.locator(".marked-remark:focus")).toContainText("which part is yours");
  await expect(page.getByRole("radio", { name: /^All/ })).toBeChecked();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("pins lead to remarks, and severities are chosen", async ({ page }) => {
    await page.goto(address);
    await page.locator("#pin-5").press("Enter");
    await expect(page).toHaveURL(/#remark-5$/);
    await expect(page.locator("#remark-5")).toBeInViewport();
    await page.getByRole("radio", { name: /^Keep/ }).check({ force: true });
    await expect(page.locator(".marked-remark:visible")).toHaveCount(4);
    await expect(page.getByRole("button", { name: "Next remark" })).toBeHidden();
  });
});
