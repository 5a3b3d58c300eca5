import type { Page } from "@playwright/test";
import { signIn } from "./support/steps.ts";
import { expect, test } from "./support/test.ts";

test("the keyboard reaches the messages, which stay meanwhile, and the focus is never lost", async ({
  page,
}) => {
  await page.goto("/login");
  await refused(page);
  await refused(page);
  const email = page.getByLabel("Email");
  await email.focus();
  const messages = page.locator(".toast");
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

test("a message closes by itself after five seconds, also after others were closed by keyboard", async ({
  page,
}) => {
  await page.goto("/login");
  await refused(page);
  await page.keyboard.press("F8");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await refused(page);
  const begun = performance.now();
  await expect(page.locator(".toast")).toHaveCount(0);
  expect(performance.now() - begun).toBeGreaterThan(4000);
});

test("a message that was closed never comes back, not with an error screen either", async ({
  page,
}) => {
  await page.goto("/login");
  await refused(page);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.locator(".toast")).toHaveCount(0);
  await page.evaluate(() => window.__reactRouterDataRouter.navigate("/nowhere"));
  await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
  await expect(page.locator(".toast")).toHaveCount(0);
});

test("a swipe past 50 pixels closes a message, and one of 50 does not", async ({ page }) => {
  await page.goto("/login");
  await refused(page);
  const message = page.locator(".toast");
  for (const [distance, left] of [
    [50, 1],
    [-51, 0],
  ] as const) {
    const box = (await message.boundingBox())!;
    await page.mouse.move(box.x + 100, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 100 + distance, box.y + 20);
    await page.mouse.up();
    await expect(message).toHaveCount(left);
  }
});

async function refused(page: Page): Promise<void> {
  const before = await page.locator(".toast").count();
  await signIn(page, "nobody@example.com", "not it");
  await expect(page.locator(".toast")).toHaveCount(before + 1);
}

test("a message above a dialog can be reached, swiped and dismissed, and outlives the dialog", async ({
  browserOf,
}) => {
  const page = await browserOf("gita@example.in");
  await page.goto("/admin/reviews");
  await page
    .getByLabel(/^Actions for review/)
    .first()
    .click();
  await page.getByRole("link", { name: "Set Priority" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Set Priority" });
  await expect(dialog.getByLabel("Priority")).toBeFocused();

  // As long as the answer is held back the dialog stays, and says so.
  let answer = () => {};
  const held = new Promise<void>((release) => (answer = release));
  await page.route("**/admin/reviews.data*", async (route) => {
    if (route.request().method() === "POST") await held;
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
  const box = (await page.locator(".toast").boundingBox())!;
  await page.mouse.move(box.x + 100, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 20);
  await page.mouse.up();
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
