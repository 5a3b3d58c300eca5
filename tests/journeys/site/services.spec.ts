import type { Page } from "@playwright/test";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

const agreement = "Show this and your record to everyone";

/** Fills in an introduction and agrees to be shown to everyone. */
async function introduce(page: Page, firstName: string): Promise<void> {
  await page.goto("/reviewer/about-you");
  await page.getByLabel("First name").fill(firstName);
  await page.getByLabel("What you work in").fill("map design");
  for (const known of ["Game design", "Tamil"]) await page.getByLabel(known).check();
  await expect(page.getByLabel(agreement)).not.toBeChecked();
  await page.getByLabel(agreement).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Everyone reads this from now on")).toBeVisible();
  for (const box of ["Game design", "Tamil", agreement])
    await expect(page.getByLabel(box)).toBeChecked();
}

for (const javaScriptEnabled of [true, false]) {
  test(`a reviewer agrees to be on the services page and withdraws, scripts: ${javaScriptEnabled}`, async ({
    browser,
    product,
  }) => {
    const { nila } = await ownPeople(product);
    const context = await browser.newContext({ baseURL: product.origin, javaScriptEnabled });
    const visitor = await (await browser.newContext({ baseURL: product.origin })).newPage();
    await signInByCookie(context, product, nila.email);
    const page = await context.newPage();
    const firstName = javaScriptEnabled ? "Nilima" : "Nilofar";
    await introduce(page, firstName);

    /** Reloads the services page, which is cached for visitors. */
    const countShown = async () => {
      await visitor.goto("/services");
      return visitor.locator(".services_readers").getByText(`${firstName}, map design`).count();
    };
    await expect.poll(countShown).toBe(1);
    const reader = visitor.locator(".services_readers li", { hasText: firstName });
    for (const fact of ["Game design", "Speaks Tamil", "New here"])
      await expect(reader).toContainText(fact);
    await expect(visitor.getByText(nila.email)).toHaveCount(0);

    await page.getByLabel(agreement).uncheck();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Customers read this from now on").last()).toBeVisible();
    await expect.poll(countShown).toBe(0);
    await Promise.all([context.close(), visitor.context().close()]);
  });
}

test("on a phone, the line above the cards leads to the combined review", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("/services");
  await page.getByRole("link", { name: "Both for ₹299: you save ₹99" }).click();
  await expect(page.getByText("BEST VALUE", { exact: true })).toBeInViewport();
  await expect(page.locator(".plans_plan h2")).toHaveText([
    "Resume Review",
    "Portfolio Review",
    "Combined Review",
  ]);
});
