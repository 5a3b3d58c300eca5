import { expect, reloadWithFonts, test } from "../support/test.ts";

/** Without summaries, so many rows of the board fit in this height in pixels. */
const densities = [
  { viewport: { width: 1280, height: 900 }, rows: 7, height: 640 },
  { viewport: { width: 360, height: 740 }, rows: 5, height: 520 },
];

for (const { viewport, rows, height } of densities)
  test(`${rows} jobs fit in ${height} px at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto("/jobs?summary=hide");
    await reloadWithFonts(page);
    const entries = page.getByRole("article");
    const first = (await entries.first().boundingBox())!;
    const last = (await entries.nth(rows - 1).boundingBox())!;
    expect(last.y + last.height - first.y).toBeLessThanOrEqual(height);
  });

test("at 1280 px the first job is near the top, and every job has two lines and its summary", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/jobs");
  await reloadWithFonts(page);
  const entries = await page.getByRole("article").all();
  expect((await entries[0]!.boundingBox())!.y).toBeLessThanOrEqual(300);
  expect(entries).toHaveLength(20);
  for (const entry of entries) {
    const summary = await entry.locator(".job-rows_summary").boundingBox();
    const { height } = (await entry.boundingBox())!;
    expect(height - (summary?.height ?? 0)).toBeLessThanOrEqual(72);
  }
});

test("the first job is within six tab stops", async ({ page }) => {
  await page.goto("/jobs?discipline=product");
  await reloadWithFonts(page);
  const [toContent, toJobs] = ["Skip to content", "Skip to the jobs"].map((name) =>
    page.getByRole("link", { name }),
  );
  await page.keyboard.press("Tab");
  await expect(toContent!).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(toJobs!).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("article").first().getByRole("link")).toBeFocused();
});
