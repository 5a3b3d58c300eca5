import type { Locator, Page } from "@playwright/test";
import { openOwnWork, ownPeople } from "../support/staff.ts";
import { chooseFile, fixture, scriptsRun } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("a review is bought by keyboard with visible focus throughout", async ({ page }) => {
  await page.goto("/services");
  await tabTo(page, page.getByRole("link", { name: "Sign In to Continue" }).first());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
  // A new screen takes focus right after it is rendered.
  await expect(page.getByRole("main")).toBeFocused();

  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type("lakshmi.kulkarni10@example.com");
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await page.keyboard.type("demo-Password1");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Successfully signed in!")).toBeVisible();

  // Must be set up before the key, because it intercepts the browser's file chooser.
  const chooser = page.waitForEvent("filechooser");
  await page.goto("/services");
  await tabTo(page, page.getByRole("link", { name: "Start Resume Review" }));
  await page.keyboard.press("Enter");
  await expect(page.locator(".upload-field_upload[data-live]")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo(page, page.getByLabel("Your resume"));
  await page.keyboard.press("Space");
  await (await chooser).setFiles(fixture("resume.pdf"));

  // The file replaces the field and takes focus.
  await expect(page.getByRole("link", { name: "resume.pdf" })).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "Continue to payment" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Step 2 of 2: Payment" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Pay ₹199" }));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Pay ₹199.00/ }).press("Enter");
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
});

test("focus stays on the pressed control or moves next to a removed one", async ({
  browserOf,
  product,
}) => {
  const { page: reviewer } = await openOwnWork(product, browserOf);
  const files = reviewer.getByRole("region", { name: "Attached files" });
  await files.locator('input[type="file"]').setInputFiles(fixture("resume.pdf"));
  await files.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(files.getByRole("link", { name: "resume.pdf" })).toBeVisible();
  await files.locator("summary").click();
  await files.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(files.getByRole("link", { name: "resume.pdf" })).toHaveCount(0);
  await expect(files.locator('input[type="file"]')).toBeFocused();

  const { customer } = await ownPeople(product);
  const page = await browserOf(customer.email, "/services/portfolio-review");
  await chooseFile(page, fixture("one-page.pdf"));
  await page.getByRole("button", { name: "Remove one-page.pdf" }).click();
  await expect(page.locator('.upload-field_upload input[type="file"]')).toBeFocused();
  await page.getByLabel("Portfolio URL").fill("https://chitra.example/work");
  await page.getByRole("button", { name: "Continue to payment" }).click();
  const tick = page.getByRole("button", { name: "It opens without signing in" });
  await tick.click();
  await expect(tick).toHaveAttribute("aria-pressed", "true");
  await expect(tick).toBeFocused();
});

test("the skip link leads past the header", async ({ page }) => {
  await page.goto("/jobs");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Sign In", exact: true })).toBeFocused();
});

test("the phone menu closes on Escape or an outside press and returns focus", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/about");
  const menu = page.getByRole("button", { name: "Menu" });
  const jobs = page.locator(".menu").getByRole("link", { name: "Jobs" });
  await scriptsRun(page);
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await menu.press("Enter");
  await expect(jobs).toBeVisible();
  await expect(menu).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Escape");
  await expect(jobs).toBeHidden();
  await expect(menu).toBeFocused();
  await expect(menu).toHaveAttribute("aria-expanded", "false");

  await menu.click();
  await expect(jobs).toBeVisible();
  await page.mouse.click(180, 700);
  await expect(jobs).toBeHidden();
  await expect(menu).toBeFocused();

  await menu.click();
  await jobs.click();
  await expect(page.getByRole("heading", { name: "Design Jobs Board" })).toBeVisible();
  await expect(jobs).toBeHidden();
});

test("FAQ questions open one at a time and close again", async ({ page }) => {
  await page.goto("/faq");
  const questions = page.locator(".questions details");
  const opened = page.locator(".questions details[open]");
  await expect(questions).toHaveCount(8);
  await expect(opened).toHaveCount(0);
  await questions.first().locator("summary").press("Enter");
  await expect(page.getByText("Standard reviews are done within 48 hours.")).toBeVisible();
  await questions.nth(2).locator("summary").press("Enter");
  await expect(opened).toHaveCount(1);
  await expect(questions.nth(2)).toHaveAttribute("open");
  await questions.nth(2).locator("summary").press("Enter");
  await expect(opened).toHaveCount(0);
  await expect(page.locator('main a[href="/refund"]')).toHaveText("refund policy");
  await expect(page.locator('main a[href^="mailto:"]')).toBeVisible();
});

/** Presses Tab until the control has focus. Every stop on the way must show its focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < 40; stop++) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(showsFocus)).toBe("seen");
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${String(control)} was not reached by keyboard.`);
}

/** An invisible focus is reported by its element. */
function showsFocus(): string {
  const focused = document.activeElement;
  const marks = [focused, focused?.parentElement].filter((element) => element instanceof Element);
  const isMarked = marks.some((element) => getComputedStyle(element).outlineStyle !== "none");
  const box = focused?.getBoundingClientRect();
  const isInView = box !== undefined && box.bottom > 0 && box.top < window.innerHeight;
  return isMarked && isInView ? "seen" : `not seen: ${focused?.outerHTML.slice(0, 100)}`;
}
