import { resolve } from "node:path";
import { expect, type Page } from "@playwright/test";

/** A person's actions, one function each. */

export const fixture = (name: string) => resolve(import.meta.dirname, "../../fixtures/files", name);

/** Waits until scripts run in the page: the corner for messages is a popover from then on. */
export async function scriptsRun(page: Page): Promise<void> {
  await expect(page.locator(".toasts[popover]")).toBeAttached();
}

/**
 * Holds back what the page asks for, as a slow network does.
 *
 * @returns what lets it go
 */
export async function holdBack(page: Page, address: RegExp, method = "GET"): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === method) await promise;
    // Aborted requests are not continued.
    await route.continue().catch(() => {});
  });
  return resolve;
}

/** Comes back to the page from another tab: it has the focus again. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
}

/** Waits until what the page has heard is shown. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(nextFrame);
}

/** Gives the window another width, in pixels, and waits until the page is laid out for it. */
export async function resizeTo(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  const isDrawnThere = await page.evaluate(drawnAt, width);
  if (isDrawnThere) return;
  // A picture is taken of a frame that has been composed; without scripts it is all one can wait for.
  await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 }, animations: "allow" });
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
}

/** @returns false where frames cannot be waited for */
async function drawnAt(width: number): Promise<boolean> {
  if (!matchMedia("(scripting)").matches) return false;
  const frame = () => new Promise((begun) => requestAnimationFrame(begun));
  for (let laidOutFor = 0; laidOutFor !== width; laidOutFor = innerWidth) await frame();
  await frame();
  return true;
}

/** The first frame that begins after what was asked is drawn by the time at which the second begins. */
function nextFrame(): Promise<void> {
  return new Promise((drawn) => {
    requestAnimationFrame(() => requestAnimationFrame(() => drawn()));
  });
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Uploads a resume and goes on to the payment step. */
export async function uploadResume(page: Page, file: string): Promise<void> {
  await page.goto("/services/resume-review?step=resume");
  await page.locator('input[type="file"]').first().setInputFiles(fixture(file));
  await expect(page.getByText(file).first()).toBeVisible();
  await page.getByRole("link", { name: "Continue to payment" }).click();
  await expect(page.getByRole("button", { name: "Pay ₹199" })).toBeVisible();
}

/** Opens the part of the payment step that asks what the reviewer shall look at. */
export async function openBrief(page: Page): Promise<void> {
  await page.getByText("What should the reviewer look at?").click();
}

/** Puts a file into the open upload field, once its scripts can take it. */
export async function chooseFile(page: Page, file: string | FilePayload): Promise<void> {
  await expect(page.locator(".upload[data-live]")).toBeVisible();
  await page.locator('.upload input[type="file"]').setInputFiles(file);
}

type FilePayload = { name: string; mimeType: string; buffer: Buffer };

/** Presses the pay button and waits for the provider's page. */
export async function goToPayment(page: Page, price = "₹199"): Promise<void> {
  await page.getByRole("button", { name: `Pay ${price}` }).click();
  await expect(
    page.getByRole("heading", { name: "Choose the result of this payment" }),
  ).toBeVisible();
  expect(new URL(page.url()).hostname).toBe("127.0.0.1");
}

/** The choices on the stand-in's page. */
export type PaymentPlan = {
  notice?: "normally" | "before" | "late" | "twice" | "never";
  browser?: "once" | "twice" | "never";
  verify?: "normal" | "unreachable" | "disagree" | "wrong amount";
};

/** Chooses on the provider's page how the payment ends. */
export async function endPayment(
  page: Page,
  button: "Pay ₹199.00" | "Pay ₹299.00" | "Decline card" | "Cancel" | "Pending",
  plan: PaymentPlan = {},
): Promise<void> {
  for (const [name, value] of Object.entries(plan)) {
    await page.locator(`select[name="${name}"]`).selectOption(value);
  }
  await page.getByRole("button", { name: new RegExp(`^${button}`) }).click();
}
