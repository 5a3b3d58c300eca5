import { resolve } from "node:path";
import { expect, type Page } from "@playwright/test";

/** Steps that journeys share. */

export const fixture = (name: string) => resolve(import.meta.dirname, "../../fixtures/files", name);

/** Waits until scripts run in the page, which turn the toast area into a popover. */
export async function scriptsRun(page: Page): Promise<void> {
  await expect(page.locator(".toasts[popover]")).toBeAttached();
}

/**
 * Holds back the page's requests to an address, as a slow network does.
 *
 * @returns a function that releases them
 */
export async function holdBack(page: Page, address: RegExp, method = "GET"): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === method) await promise;
    // Aborted requests can't be continued.
    await route.continue().catch(() => {});
  });
  return resolve;
}

/** Returns to the page from another tab, which gives it the focus. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
}

/** Waits until the page has rendered its latest state. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(nextFrame);
}

/** Changes the window's width, in pixels, and waits until the page is laid out for it. */
export async function resizeTo(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  const isDrawnThere = await page.evaluate(drawnAt, width);
  // A page without scripts reports no frames, but is laid out again whenever it is measured.
  if (!isDrawnThere) await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
}

/** @returns false when the page has no scripts to wait for frames */
async function drawnAt(width: number): Promise<boolean> {
  if (!matchMedia("(scripting)").matches) return false;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let laidOutFor = 0; laidOutFor !== width; laidOutFor = innerWidth) await frame();
  await frame();
  return true;
}

/** Waits for two frames, since the first is drawn by the time the second starts. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Uploads a resume and continues to the payment step. */
export async function uploadResume(page: Page, file: string): Promise<void> {
  await page.goto("/services/resume-review?step=resume");
  await page.locator('input[type="file"]').first().setInputFiles(fixture(file));
  await expect(page.getByText(file).first()).toBeVisible();
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await expect(page.getByRole("button", { name: "Pay ₹199" })).toBeVisible();
}

/** Opens the part of the payment step with questions for the reviewer. */
export async function openBrief(page: Page): Promise<void> {
  await page.getByText("What should the reviewer look at?").click();
}

/** Chooses a file in the open upload field, once its scripts run. */
export async function chooseFile(page: Page, file: string | FilePayload): Promise<void> {
  await expect(page.locator(".upload-field_upload[data-live]")).toBeVisible();
  await page.locator('.upload-field_upload input[type="file"]').setInputFiles(file);
}

type FilePayload = { name: string; mimeType: string; buffer: Buffer };

/** Clicks the pay button and waits for the test payment page. */
export async function goToPayment(page: Page, price = "₹199"): Promise<void> {
  await page.getByRole("button", { name: `Pay ${price}` }).click();
  await expect(
    page.getByRole("heading", { name: "Choose the result of this payment" }),
  ).toBeVisible();
  expect(new URL(page.url()).hostname).toBe("127.0.0.1");
}

/** The options of the test payment page. */
export type PaymentPlan = {
  notice?: "normally" | "before" | "late" | "twice" | "never";
  browser?: "once" | "twice" | "never";
  verify?: "normal" | "unreachable" | "disagree" | "wrong amount";
};

/** Chooses the result on the test payment page. */
export async function endPayment(
  page: Page,
  button: "Pay ₹199.00" | "Pay ₹299.00" | "Pay ₹999.00" | "Decline card" | "Cancel" | "Pending",
  plan: PaymentPlan = {},
): Promise<void> {
  for (const [name, value] of Object.entries(plan)) {
    await page.locator(`select[name="${name}"]`).selectOption(value);
  }
  await page.getByRole("button", { name: new RegExp(`^${button}`) }).click();
}
