import type { Page } from "@playwright/test";
import { objectionsOn } from "../support/axe.ts";
import { chooseFile, fixture, signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** Accessibility of refused forms, open dialogs and the open menu. */

test.use({ reducedMotion: "reduce" });

test("refused forms announce their errors and focus the first problem", async ({ page }) => {
  await page.goto("/login");
  await signIn(page, "nobody@example.com", "not it");
  await expect(page.locator(".field_form-alert")).toBeFocused();
  await nothingIsWrong(page);

  await page.goto("/signup");
  await page.getByLabel("Full name").fill("Asha");
  await page.getByLabel("Email").fill("asha.again@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Good-enough1");
  await page.getByLabel("Confirm password").fill("Good-enough2");
  await page.getByRole("button", { name: "Sign up" }).click();
  const confirmation = page.getByLabel("Confirm password");
  await expect(confirmation).toHaveAccessibleDescription(/Passwords do not match/);
  await expect(confirmation).toBeFocused();
  await nothingIsWrong(page);

  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill("nobody@nowhere");
  await page.getByRole("button", { name: "Send reset link" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
    "Please enter a valid email address",
  );
  await expect(page.getByLabel("Email")).toBeFocused();
  await nothingIsWrong(page);

  await page.goto("/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await nothingIsWrong(page);
});

test("a submission is accessible at every step, also with a refused file", async ({
  browserOf,
}) => {
  // Runs every rule five times, with an upload in between.
  const page = await browserOf("dev.reddy11@example.com", "/services/combined-review?step=resume");
  const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("x") };
  await chooseFile(page, notes);
  await expect(page.locator(".upload-field_upload input")).toHaveAccessibleDescription(
    /This file is not a /,
  );
  await nothingIsWrong(page);
  await chooseFile(page, fixture("one-page.pdf"));
  await page.getByRole("link", { name: "Continue to portfolio" }).click();
  await page.getByLabel("Portfolio URL").fill("nowhere");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await expect(page.getByLabel("Portfolio URL")).toBeFocused();
  await nothingIsWrong(page);
  await page.getByLabel("Portfolio URL").fill("https://portfolio.example.com");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByLabel("Phone (optional)").fill("12");
  await page.getByRole("button", { name: "Pay ₹299" }).click();
  await expect(page.getByLabel("Phone (optional)")).toBeFocused();
  await nothingIsWrong(page);

  await page.goto("/services/combined-review?step=resume");
  await nothingIsWrong(page);
  await page.getByRole("button", { name: "Remove one-page.pdf" }).click();
  await expect(page.getByLabel("Your resume")).toBeVisible();
});

test("dialogs trap and return focus, and the open menu is accessible", async ({ browserOf }) => {
  const page = await browserOf("sonia@example.com", "/subscription");
  const cancel = page.getByRole("button", { name: "Cancel Subscription" });
  await cancel.click();
  const question = page.getByRole("dialog", { name: "Are you sure?" });
  await expect(question).toBeVisible();
  for (let stop = 0; stop < 5; stop++) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main form"))).toBeNull();
  }
  await nothingIsWrong(page);
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(cancel).toBeFocused();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.locator(".menu_panel")).toBeVisible();
  await nothingIsWrong(page);
});

async function nothingIsWrong(page: Page): Promise<void> {
  expect(await objectionsOn(page)).toEqual([]);
}
