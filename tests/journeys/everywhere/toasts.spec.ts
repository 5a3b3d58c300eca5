import type { Locator, Page } from "@playwright/test";
import { signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("toasts stay while the keyboard is in them, and focus is never lost", async ({ page }) => {
  await page.goto("/login");
  await refused(page);
  await refused(page);
  const email = page.getByLabel("Email");
  await email.focus();
  const messages = page.locator(".toasts_toast");
  await expect(messages).toHaveCount(2);
  await page.keyboard.press("F8");
  await expect(page.getByRole("region", { name: "Notifications (F8)" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(messages).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Notifications (F8)" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(messages).toHaveCount(0);
  await expect(email).toBeFocused();
});

test("a toast closes after five seconds, also after others were closed by keyboard", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/login");
  await stopTime(page);
  await refused(page);
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await refused(page);
  await page.clock.runFor(4_900);
  await page.evaluate(hasRendered);
  await expect(page.locator(".toasts_toast")).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(page.locator(".toasts_toast")).toHaveCount(0);
});

test("the toast area covers no more of the page than the toasts", async ({ page }) => {
  await page.goto("/login");
  await refused(page);
  const height = await page
    .getByRole("region", { name: "Notifications (F8)" })
    .evaluate((corner) => String(corner.computedStyleMap().get("height")));
  // In Safari a popover grid with fit-content is as tall as the window.
  expect(height).toBe("auto");
});

test("a closed toast never comes back, even with an error screen", async ({ page }) => {
  await page.goto("/login");
  await refused(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.locator(".toasts_toast")).toHaveCount(0);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate("/nowhere"));
  await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
  await expect(page.locator(".toasts_toast")).toHaveCount(0);
});

// Covered by "a toast above a dialog can be reached, swiped".
test("a swipe of more than 50 pixels closes a toast @slow", async ({ page }) => {
  await page.goto("/login");
  await refused(page);
  const message = page.locator(".toasts_toast");
  const at = await inside(message, { x: 100, y: 20 });
  await swipe(page, at, 50);
  await expect(message).toHaveCount(1);
  await swipe(page, at, -51);
  await expect(message).toHaveCount(0);
});

// Covered by "a toast above a dialog can be reached, swiped".
test("a swipe that is too short selects no text, and the next one closes the toast @slow", async ({
  page,
}) => {
  await page.goto("/login");
  const message = page.locator(".toasts_toast");
  for (const part of [".icon", ".toasts_title", ".toasts_words p:last-child"]) {
    await refused(page);
    // A press below the text would select from the nearest letter.
    const { height } = (await message.locator(part).first().boundingBox())!;
    const at = await inside(message.locator(part).first(), { x: 8, y: height + 6 });
    await swipe(page, at, 30);
    expect(await selection(page)).toBe("");
    await expect(message).toHaveCount(1);
    await swipe(page, at, 90);
    await expect(message, `pressed below ${part}`).toHaveCount(0);
  }
});

test("a double press selects a word of a toast, which can still be swiped away", async ({
  page,
}) => {
  await page.goto("/login");
  await refused(page);
  const message = page.locator(".toasts_toast");
  const at = await inside(message.locator(".toasts_title"), { x: 10, y: 10 });
  await page.mouse.dblclick(at.x, at.y);
  expect((await selection(page)).trim()).toBe("Failed");
  await swipe(page, at, 90);
  await expect(message).toHaveCount(0);
});

type Point = { x: number; y: number };

async function inside(element: Locator, { x, y }: Point): Promise<Point> {
  const box = (await element.boundingBox())!;
  return { x: box.x + x, y: box.y + y };
}

/** Swipes sideways in steps, like a hand. */
async function swipe(page: Page, { x, y }: Point, distance: number): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + distance, y, { steps: 10 });
  await page.mouse.up();
}

function selection(page: Page): Promise<string> {
  return page.evaluate(() => String(getSelection()));
}

/** Waits until React has rendered. It schedules its work by messages, which a stopped clock doesn't stop. */
function hasRendered(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => resolve());
    port1.start();
    port2.postMessage(null);
  });
}

/** Stops the page's clock, so that a toast stays until the test moves the clock on. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
}

async function refused(page: Page): Promise<void> {
  const before = await page.locator(".toasts_toast").count();
  await signIn(page, "nobody@example.com", "not it");
  await expect(page.locator(".toasts_toast")).toHaveCount(before + 1);
}

test("a toast above a dialog can be reached, swiped and dismissed, and outlives it", async ({
  browserOf,
}) => {
  const page = await browserOf("gita@example.in", "/admin/reviews");
  await page
    .getByLabel(/^Actions for review/)
    .first()
    .click();
  await page.getByRole("link", { name: "Set Priority" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await expect(dialog.getByLabel("Priority")).toBeFocused();

  // The dialog stays busy until the answer arrives.
  let answer = () => {};
  const answered = new Promise<void>((release) => (answer = release));
  await page.route("**/admin/reviews.data*", async (route) => {
    if (route.request().method() === "POST") await answered;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(dialog.getByRole("button", { name: "Saving..." })).toBeDisabled();
  const warning = page.getByText("Please wait, changes are being saved...");
  const cancel = dialog.getByRole("button", { name: "Cancel" });
  await cancel.click();
  await expect(warning).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(warning).toBeHidden();

  await cancel.click();
  await swipe(page, await inside(page.locator(".toasts_toast"), { x: 100, y: 20 }), 60);
  await expect(warning).toBeHidden();

  await cancel.click();
  await expect(warning).toBeVisible();
  await page.keyboard.press("F8");
  const corner = page.getByRole("region", { name: "Notifications (F8)" });
  await expect(corner).toBeFocused();
  answer();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Review updated successfully")).toBeVisible();
  await expect(warning).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).last().click();
  await expect(page.getByText("Review updated successfully")).toBeHidden();
});
