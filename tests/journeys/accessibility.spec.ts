import type { Page } from "@playwright/test";
import { screensOf } from "../support/screens.ts";
import { axeOn, objectionsOf } from "./support/axe.ts";
import { expect, signInByCookie, test } from "./support/test.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    test(`every screen is accessible, ${colorScheme} and ${width} pixels wide`, async ({
      browser,
      product,
    }) => {
      // Some forty-five screens, two seconds each on a small machine that does nothing else.
      test.setTimeout(360_000);
      const pages = new Map<string | undefined, Page>();
      const found: string[] = [];
      for (const { name, path, as } of await screensOf(product)) {
        if (!pages.has(as)) {
          const context = await browser.newContext({
            baseURL: product.origin,
            colorScheme,
            reducedMotion: "reduce",
            viewport: { width, height: 800 },
          });
          if (as) await signInByCookie(context, product, as);
          pages.set(as, await context.newPage());
        }
        const page = pages.get(as)!;
        await page.goto(path);
        const axe = axeOn(page);
        // The themes differ in their colours alone.
        if (colorScheme === "dark") axe.withRules("color-contrast");
        const problems = [...(await objectionsOf(axe)), ...(await tooWide(page))];
        found.push(...problems.map((problem) => `${name}: ${problem}`));
      }
      for (const page of pages.values()) await page.context().close();
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
