import { insertJob, type JobRow } from "../../support/rows/jobs.ts";
import type { RunningProduct } from "../support/product.ts";
import { resizeTo } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** The most pixels above the main button on a wide screen. */
const mostSignIn = 480;
const customer = "asha@example.com";

test("a contact links to an email and a call, and its number can be copied", async ({
  browserOf,
  product,
}) => {
  const id = await postJob(product, "Anu <anu@a.example>, hr\u200b@a.example / 98765 43210");
  const page = await browserOf(customer);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const width of [360, 1280]) {
    await resizeTo(page, width);
    await page.goto(`/jobs/${id}`);
    await expect(page.getByRole("link", { name: "Contact POC Directly" })).toHaveAttribute(
      "href",
      /^mailto:anu@a\.example,hr@a\.example\?subject=/,
    );
    await expect(page.getByRole("link", { name: "98765 43210" })).toHaveAttribute(
      "href",
      "tel:+919876543210",
    );
    await page.getByRole("button", { name: "Copy 98765 43210" }).click();
    await expect(page.getByRole("button", { name: "Copied 98765 43210" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("98765 43210");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test("a contact without an address shows its text with a number to call", async ({
  browserOf,
  product,
}) => {
  const id = await postJob(product, "Call Anu on 098765-43210, 11 to 5");
  const page = await browserOf(customer);
  for (const width of [360, 1280]) {
    await resizeTo(page, width);
    await page.goto(`/jobs/${id}`);
    await page.getByRole("button", { name: "Contact POC Directly" }).click();
    const message = page.getByRole("status").filter({ hasText: "Contact POC Directly" });
    await expect(message).toContainText("Call Anu on 098765-43210");
    await expect(message.getByRole("link", { name: "098765-43210" })).toHaveAttribute(
      "href",
      "tel:+919876543210",
    );
    await expect(message.getByRole("button", { name: "Copy 098765-43210" })).toBeVisible();
  }
});

test("a job without a contact says so to visitors and readers, above the buttons", async ({
  page,
  product,
  browserOf,
}) => {
  const id = await postJob(product, "", { pocName: null });
  for (const shown of [page, await browserOf(customer)]) {
    await shown.goto(`/jobs/${id}`);
    await expect(shown.getByText("This job doesn't name a contact.")).toBeVisible();
    await expect(shown.locator(".station-card_station")).toHaveCount(0);
  }
  await expect(
    page.getByText("Sign in or create an account to view contact details"),
  ).toBeVisible();
  await page.getByRole("button", { name: "Contact POC Directly" }).click();
  await expect(page.getByText("Authentication Required")).toBeVisible();
});

test("the next step is on the first screen, and stays in reach while reading", async ({
  page,
  product,
}) => {
  const id = await postJob(product, "anu@a.example", {
    largeDescription: "How we hire: We call you first, then you meet the team.\n\n".repeat(40),
  });
  await resizeTo(page, 1280);
  await page.goto(`/jobs/${id}`);
  await expect(page.getByText("How we hire:").first()).toHaveCSS("display", "block");
  const signIn = page.getByRole("link", { name: "Sign in to apply" });
  expect((await signIn.boundingBox())!.y).toBeLessThan(mostSignIn);
  await page.getByRole("article").getByRole("paragraph").last().scrollIntoViewIfNeeded();
  await expect(signIn).toBeInViewport();

  await resizeTo(page, 360);
  await page.evaluate(() => scrollTo(0, 0));
  await expect(signIn).toHaveCount(2);
  await expect(signIn.last()).not.toBeInViewport();
  await page.getByRole("article").scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollBy(0, 700));
  await expect(signIn.first()).not.toBeInViewport();
  await expect(signIn.last()).toBeInViewport();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a visitor sees no contact", async ({ page, product }) => {
    const id = await postJob(product, "Anu <anu@secret.example>, 98765 43210");
    await page.goto(`/jobs/${id}`);
    await page.getByRole("button", { name: "Contact POC Directly" }).click();
    await expect(page.getByText("Please sign in or create an account")).toBeVisible();
    expect(await page.content()).not.toMatch(/secret|43210/);
  });
});

async function postJob(
  { db }: RunningProduct,
  pocContact: string,
  texts: JobRow = {},
): Promise<string> {
  return (await insertJob(db, { ...texts, pocContact })).id;
}
