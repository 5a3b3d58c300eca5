import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** Minified, which a browser reads in half the time. */
const source = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Returns axe's violations in a page and their places, by all rules unless some are named.
 *
 * @param rules names of axe's, as in `color-contrast`
 */
export async function objectionsOn(page: Page, rules?: string[]): Promise<string[]> {
  // Its source is large, and stays in a page until the next one.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  return page.evaluate(async (chosen) => {
    const { violations } = await window.axe!.run(chosen);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id} at ${target.join(" ")}`),
    );
  }, options);
}
