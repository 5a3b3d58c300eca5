import type { Page } from "@playwright/test";
import { objectionsOn } from "../support/axe.ts";
import { stickingOut } from "../support/looks.ts";
import { fixture } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

const resumeStep = "/services/resume-review?step=resume";

/** Returns the distance of the next step's link from the top of the page, in pixels. */
function measureLinkTop(page: Page): Promise<number> {
  return page
    .getByRole("link", { name: "Continue to payment" })
    .evaluate((link) => Math.round(link.getBoundingClientRect().top + scrollY));
}

test("an uploaded resume shows its pages and what software reads, and nothing moves", async ({
  browserOf,
}) => {
  const page = await browserOf("anaya.chawla24@example.com", resumeStep);
  await page.locator('input[type="file"]').first().setInputFiles(fixture("resume.pdf"));
  const preview = page.locator(".draft-pages");
  await expect(preview.getByText("Preparing pages…")).toBeVisible();
  const top = await measureLinkTop(page);
  await expect(preview.getByText("2 pages", { exact: true })).toBeVisible();
  await expect(preview.getByRole("img")).toHaveCount(2);
  await expect(preview.getByText("1 problem found")).toBeVisible();
  expect(await measureLinkTop(page)).toBe(top);

  await preview.locator("summary").first().click();
  await expect(preview.getByText("All text can be selected.")).toBeVisible();
  expect(await objectionsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(stickingOut)).toEqual([]);
});

test("without scripts, a reload shows the pages", async ({ browser, product }) => {
  const page = await openPlainPage(browser, product, "ishita.pillai26@example.com");
  await page.goto("/services/portfolio-review?step=portfolio");
  await page.locator('input[type="file"]').first().setInputFiles(fixture("poster.png"));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("poster.png")).toBeVisible();
  const preview = page.locator(".draft-pages");
  const readStatus = async () => {
    await page.reload();
    return preview.getByRole("status").textContent();
  };
  await expect.poll(readStatus).toBe("1 page");
  await expect(preview.getByRole("img", { name: "Page 1" })).toBeVisible();
  await expect(page.getByText("Can software read this file?")).toHaveCount(0);
  await page.context().close();
});

test("coming back to a finished draft opens the payment, and Back returns to the step before", async ({
  browserOf,
}) => {
  const page = await browserOf("zoya.kulkarni30@example.com", resumeStep);
  await page.locator('input[type="file"]').first().setInputFiles(fixture("one-page.pdf"));
  await expect(page.getByRole("link", { name: "Continue to payment" })).toBeVisible();

  await page.goto("/services");
  await page.getByRole("link", { name: "Start Resume Review" }).click();
  const open = page.locator('[aria-current="step"]').getByRole("heading");
  await expect(open).toHaveText("Step 2 of 2: Payment");
  await page.getByRole("link", { name: "Change resume" }).click();
  await expect(open).toHaveText("Step 1 of 2: Resume");
  await page.goBack();
  await expect(open).toHaveText("Step 2 of 2: Payment");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Professional Review Services" })).toBeVisible();
});
