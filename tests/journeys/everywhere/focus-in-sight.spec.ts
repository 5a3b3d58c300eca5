import { screensOf } from "../../support/inventory/screens-of-demo.ts";
import { sample } from "../../support/inventory/selection.ts";
import { onEachScreen } from "../support/each-screen.ts";
import { hiddenInFocus } from "../support/looks.ts";
import { expect, reloadWithFonts, test } from "../support/test.ts";

for (const viewport of [
  { width: 360, height: 640 },
  { width: 1280, height: 720 },
])
  test(`no bar covers the control in focus at ${viewport.width} px`, async ({
    browser,
    product,
  }) => {
    const screens = sample(await screensOf(product), { every: 6 });
    const found: string[] = [];
    const settings = { viewport, reducedMotion: "reduce" as const };
    await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
      for (const what of await page.evaluate(hiddenInFocus)) found.push(`${name}: ${what}`);
    });
    expect(found).toEqual([]);
  });

test("the first job is within six tab stops", async ({ page }) => {
  await page.goto("/jobs?discipline=product");
  await reloadWithFonts(page);
  const job = page.getByRole("article").first().getByRole("link");
  let stops = 0;
  for (const name of ["Skip to content", "Skip to the jobs"]) {
    const link = page.getByRole("link", { name });
    while (!(await link.evaluate((element) => element === document.activeElement))) {
      await page.keyboard.press("Tab");
      stops += 1;
    }
    await page.keyboard.press("Enter");
  }
  while (!(await job.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press("Tab");
    stops += 1;
  }
  expect(stops).toBeLessThanOrEqual(6);
});
