import { expect, test } from "../support/test.ts";

test("the newest jobs are the first thing below the map, on the first screen or close to it", async ({
  page,
}) => {
  const jobs = page.locator(".home_newest-jobs li");
  for (const [width, most] of [
    [1280, 800],
    [360, 900],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/");
    const box = await jobs.first().boundingBox();
    expect(box!.y, `at ${width} px`).toBeLessThan(most);
  }
  await expect(jobs.filter({ visible: true })).toHaveCount(3);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(jobs.filter({ visible: true })).toHaveCount(6);
  await page.goto("/jobs");
  const newest = await page.locator("main article h2").allInnerTexts();
  await page.goto("/");
  expect(await jobs.getByRole("heading").allInnerTexts()).toEqual(newest.slice(0, 6));
  await jobs.getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1, name: newest[0]! })).toBeVisible();
});

test("home proves its three reasons with a contact, a remark and prices, and calls its quotes samples", async ({
  page,
}) => {
  await page.goto("/");
  const reason = (name: string) =>
    page.locator(".home_reason").filter({ has: page.getByRole("heading", { name }) });
  await expect(reason("Expert Reviews").locator("del")).toHaveText("Figma 95%");
  await expect(reason("Expert Reviews")).toContainText("Made up");
  await expect(reason("Affordable Pricing").locator("dd")).toHaveText(["₹199", "Free"]);
  await expect(page.locator(".voices_voice")).toContainText(["Sample", "Sample"]);
  await reason("Real POC Access")
    .getByRole("link", { name: /^Contact at / })
    .click();
  await expect(
    page.getByText("Sign in or create an account to view contact details"),
  ).toBeVisible();
});

test("home and services show half a page of the example, which leads to it", async ({ page }) => {
  for (const path of ["/", "/services"]) {
    await page.goto(path);
    const picture = page.getByRole("img", { name: "Half a page of a resume" });
    await picture.scrollIntoViewIfNeeded();
    await expect(page.locator(".example-crop_remark")).toContainText("Made up");
    // The services have the plans there instead.
    await expect(page.locator(".example-crop_remark ins")).toHaveText(
      path === "/" ? [/I make plans easy to pause/] : [],
    );
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(600);
    await picture.click();
    await expect(page).toHaveURL(/\/services\/example-review$/);
  }
});

test("on phones, a line above the plans leads to the combined one", async ({ page }) => {
  await page.goto("/services");
  const line = page.getByRole("link", { name: "Both for ₹299: you save ₹99" });
  await expect(line).toBeHidden();
  await page.setViewportSize({ width: 360, height: 800 });
  await line.click();
  await expect(page.getByText("BEST VALUE")).toBeInViewport();
});
