import type { Page } from "@playwright/test";
import { screensOf } from "../support/screens.ts";
import { axeOn, objectionsOf } from "./support/axe.ts";
import { onEachScreen } from "./support/each-screen.ts";
import { resizeTo } from "./support/steps.ts";
import { expect, test } from "./support/test.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test(`every screen is accessible on a phone and on a desk, ${colorScheme}`, async ({
    browser,
    product,
  }) => {
    // Some fifty-five screens, each at two widths, two seconds a look on a small machine.
    test.setTimeout(360_000);
    const found: string[] = [];
    const screens = await screensOf(product);
    const settings = { colorScheme, reducedMotion: "reduce" as const };
    await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
      for (const width of [360, 1280]) {
        await resizeTo(page, width);
        const axe = axeOn(page);
        // The themes differ in their colours alone.
        if (colorScheme === "dark") axe.withRules("color-contrast");
        const problems = [...(await objectionsOf(axe)), ...(await tooWide(page))];
        found.push(...problems.map((problem) => `${name} at ${width}: ${problem}`));
      }
    });
    expect(found).toEqual([]);
  });
}

/** Whether the screen has to be moved sideways to be read. */
async function tooWide(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate(
    () => document.documentElement.scrollWidth > window.innerWidth,
  );
  return isTooWide ? ["wider than the window"] : [];
}
