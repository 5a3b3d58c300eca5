import type { Locator } from "@playwright/test";
import { stickingOut } from "../support/looks.ts";
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
  await expect(page.locator(".remark-item").last()).toBeFocused();

  const must = page.getByRole("radio", { name: /^Must fix/ });
  await must.focus();
  await page.keyboard.press("Space");
  const visible = page.locator(".remark-item:visible");
  await expect(visible).toHaveCount(9);
  await expect(page.locator(".marked-sheet .plate_pins a:visible")).toHaveCount(9);
  for (const kind of await visible.locator(".remark-item_kind strong").allTextContents())
    expect(kind).toBe("Must fix");
  await page.keyboard.press("n");
  await expect(visible.first()).toBeFocused();

  await expect(page.getByText("22 of 22 left to do")).toBeVisible();
  await visible.first().getByRole("checkbox").press("Space");
  await expect(page.getByText("21 of 22 left to do")).toBeVisible();
  await expect(visible.first()).toHaveAttribute("data-done");
});

// Covered by "remarks are read by keyboard".
test("a pin and its remark highlight and link to each other @slow", async ({ page }) => {
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
    const box = await page.locator(".opening .plate_pins a").first().boundingBox();
    expect(box!.y).toBeLessThan(most);
    expect(await page.locator("[id=pin-2]").count()).toBe(1);
  }
  await page.locator(".opening .plate_pins a").first().press("Enter");
  await expect(page.locator("#remark-2")).toBeFocused();
});

test("the line of a pin crosses the page only while it is lit", async ({ page }) => {
  await page.goto(address);
  const pin = page.locator("#pin-5");
  const line = () =>
    markOf(pin).evaluate((mark) => parseFloat(getComputedStyle(mark, "::before").width));
  // Half of the margin, and a little of the page's own margin.
  expect(await line()).toBeLessThan(24);
  await pin.hover();
  await expect.poll(line).toBeGreaterThan(200);
});

test("scrolling marks the section and the remark at the upper third, and shows its place", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(address);
  const current = page.locator(".opening_links [aria-current]");
  const remarks = page.getByRole("link", { name: "Remarks 26" });
  await expect(remarks).toBeInViewport();
  await expect(current).toHaveCount(0);
  await page.getByRole("link", { name: "Scores" }).click();
  await expect(current).toHaveText("Scores");

  for (const number of [2, 4, 6]) {
    await page.locator(`#remark-${number}`).evaluate((remark, third) => {
      scrollTo(0, scrollY + remark.getBoundingClientRect().top + 40 - third);
    }, 800 / 3);
    await expect(page.locator(".remark-item[data-lit]")).toHaveId(`remark-${number}`);
    await expect(markOf(page.locator(`#pin-${number}`)).locator(".plate_box")).toBeInViewport({
      ratio: 1,
    });
  }
  await expect(current).toHaveText("Remarks 26");
  await page.keyboard.press("n");
  await expect(page.locator("#remark-7")).toBeFocused();
});

test("a count beside the title chooses its filter", async ({ page }) => {
  await page.goto(address);
  const counts = page.getByRole("navigation", { name: "Remarks by importance" });
  await expect(counts.getByRole("link")).toHaveText([
    "Must fix 9",
    "Should fix 11",
    "Idea 2",
    "Keep 4",
  ]);
  await counts.getByRole("link", { name: "Idea 2" }).press("Enter");
  await expect(page.getByRole("radio", { name: "Idea 2" })).toBeChecked();
  await expect(page.getByRole("radio", { name: "Idea 2" })).toBeInViewport();
  await expect(page.locator(".remark-item:visible")).toHaveCount(2);
});

test("on a phone pins are touch targets that don't overlap, and all sections are in sight", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(address);
  const boxes = await page.locator(".opening .plate_pins a").evaluateAll((pins) =>
    pins.map((pin) => {
      const { top, bottom, width } = pin.getBoundingClientRect();
      return { top, bottom, width };
    }),
  );
  expect(boxes).toHaveLength(6);
  for (const [index, { top, bottom, width }] of boxes.entries()) {
    expect(width).toBeGreaterThanOrEqual(44);
    expect(bottom - top).toBeGreaterThan(40);
    if (index > 0) expect(top).toBeGreaterThanOrEqual(boxes[index - 1]!.bottom - 0.5);
  }
  const links = page.locator(".opening_links");
  expect(await links.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0);
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

// Covered by "remarks are read by keyboard".
test("a priority links to its remark even if its severity is filtered out @slow", async ({
  page,
}) => {
  await page.goto(address);
  await page.getByRole("radio", { name: /^Idea/ }).press("Space");
  await page.locator(".opening_first a").first().press("Enter");
  await expect(page.locator(".remark-item:focus")).toContainText("which part is yours");
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
    await expect(page.locator(".remark-item:visible")).toHaveCount(4);
    await expect(page.getByRole("button", { name: "Next remark" })).toBeHidden();
  });

  test("the second look shows what is still open first, also on a narrow phone", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(address);
    await page.getByRole("link", { name: "her second look" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("An example second look");
    await expect(page.getByRole("heading", { name: "16 of 22 solved" })).toBeVisible();
    const remarks = page.locator(".comparison_remarks > li");
    await expect(remarks).toHaveCount(22);
    await expect(remarks.first()).toContainText("Still open");
    await expect(remarks.first().getByText("Before: Screenshot 2")).toBeVisible();
    await expect(remarks.nth(2).getByText("After: Portfolio, page 5 of 7")).toBeVisible();
    const copy = page.getByRole("button", { name: /^Copy remark/ });
    await expect(copy.first()).toBeHidden();
    expect(await page.evaluate(stickingOut)).toEqual([]);
  });
});
