import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { company, member } from "../../support/rows/companies.ts";
import { person } from "../../support/rows/people.ts";
import { openPage, openPlainPage } from "../support/visitors.ts";
import { expect, test } from "../support/test.ts";

const phone = { viewport: { width: 360, height: 740 } };
const poster = join(import.meta.dirname, "../../fixtures/files/poster.png");

/** Waits for a logo to load, and fails if its width in pixels is another. */
const expectWidth = (logo: Locator, width: number) =>
  expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(width);

const hasScrolledSideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

for (const { how, open, options } of [
  { how: "with scripts", open: openPage, options: {} },
  { how: "without scripts on a phone", open: openPlainPage, options: phone },
])
  test(`a member changes the company's page with a logo, and an admin publishes it, ${how}`, async ({
    browser,
    product,
  }) => {
    const { db } = product;
    const slug = `page-${how.replaceAll(" ", "-")}`;
    const [before, after] = [`Door Signs ${how}`, `Door and Street Signs ${how}`];
    const own = await company(db, {
      slug,
      name: before,
      website: `https://${slug}.example`,
      domain: `${slug}.example`,
      about: "We draw signs.",
    });
    const colleague = await person(db, "Jaya Rao");
    await member(db, own, colleague, { role: "member" });
    const page = await open(browser, product, colleague.email, options);
    await page.goto("/post/team");
    await page.getByRole("link", { name: "The company's page" }).click();
    await page.getByLabel("Company name *").fill(after);
    await page.getByLabel("Website *").fill("elsewhere.example");
    await page.getByLabel("Logo").setInputFiles({
      name: "logo.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from("<svg/>"),
    });
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Choose a PNG, JPEG or WebP image.")).toBeVisible();
    await expect(page.getByLabel("Company name *")).toHaveValue(after);
    await page.getByLabel("Logo").setInputFiles(poster);
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText(`Use an address at ${slug}.example`)).toBeVisible();
    await page.getByLabel("Website *").fill(`${slug}.example`);
    await page.getByLabel("Logo").setInputFiles(poster);
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Waiting for our check.")).toBeVisible();
    await expectWidth(page.getByAltText("The present logo", { exact: true }), 256);
    expect(await hasScrolledSideways(page)).toBe(false);

    // The page stays as it was.
    const visitor = await open(browser, product, undefined, options);
    await visitor.goto(`/companies/${slug}`);
    await expect(visitor.getByRole("heading", { name: before, level: 1 })).toBeVisible();
    await expect(visitor.getByRole("heading", { level: 1 }).getByRole("img")).toHaveCount(0);

    const admin = await open(browser, product, "gita@example.in", options);
    await admin.goto("/admin/companies");
    await admin.getByRole("link", { name: "Changes of companies' pages" }).click();
    const row = admin.getByRole("row").filter({ hasText: before });
    await expect(row.locator("ins")).toContainText(["and Street"]);
    expect(await row.getByAltText("The new logo").count()).toBe(1);
    expect(await hasScrolledSideways(admin)).toBe(false);
    await row.getByLabel(`What has to change ${before}`).fill("Say where you are.");
    await row.getByRole("button", { name: `Return ${before}` }).click();
    await expect(admin.getByText("Change returned")).toBeVisible();

    await page.reload();
    await expect(page.getByText("Say where you are.")).toBeVisible();
    await page.getByLabel("About the company").fill("We draw signs in Pune.");
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Waiting for our check.")).toBeVisible();

    await admin.reload();
    await row.getByRole("button", { name: `Publish ${before}` }).click();
    await expect(admin.getByText("Change published")).toBeVisible();

    await expect
      .poll(async () => {
        await visitor.reload();
        return visitor.getByRole("heading", { level: 1 }).textContent();
      })
      .toBe(after);
    await expect(visitor.getByText("We draw signs in Pune.")).toBeVisible();
    const logo = visitor.locator(`img[src^="/companies/${slug}/logo/"]`);
    await expectWidth(logo, 256);
    expect(await hasScrolledSideways(visitor)).toBe(false);

    await page.reload();
    await page.getByLabel("Remove the logo").check();
    await page.getByRole("button", { name: "Send to our team" }).click();
    await expect(page.getByText("Waiting for our check.")).toBeVisible();
    await page.getByText("Withdraw this change").click();
    await page.getByRole("button", { name: "Withdraw the change" }).click();
    await expect(page.getByText("Waiting for our check.")).toBeHidden();
    await expect(page.getByAltText("The present logo")).toBeVisible();
  });
