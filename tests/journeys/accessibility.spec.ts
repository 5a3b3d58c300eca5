import type { Page } from "@playwright/test";
import { screensOf } from "../support/screens.ts";
import { axeOn, objectionsOf } from "./support/axe.ts";
import { onEachScreen } from "./support/each-screen.ts";
import { expect, test } from "./support/test.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`every screen is accessible, ${colorScheme} and ${width} pixels wide`, async ({
      browser,
      product,
    }) => {
      // Some forty-five screens, two seconds each on a small machine that does nothing else.
      test.setTimeout(360_000);
      const found: string[] = [];
      const screens = await screensOf(product);
      const viewport = { width, height: 800 };
      const settings = { colorScheme, reducedMotion: "reduce" as const, viewport };
      await onEachScreen({ browser, product, screens }, settings, async (page, name) => {
        const axe = axeOn(page);
        // The themes differ in their colours alone.
        if (colorScheme === "dark") axe.withRules("color-contrast");
        const problems = [...(await objectionsOf(axe)), ...(await tooWide(page))];
        found.push(...problems.map((problem) => `${name}: ${problem}`));
      });
      expect(found).toEqual([]);
    });
  }
}

/** Whether the screen has to be moved sideways to be read. */
async function tooWide(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate(
    () => document.documentElement.scrollWidth > window.innerWidth,
  );
  return isTooWide ? ["wider than the window"] : [];
}
