import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** The minified build, which browsers parse in half the time. */
const source = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Returns axe's violations in a page with their selectors.
 *
 * @param rules names of axe rules, as in `color-contrast`; all rules if absent
 */
export async function objectionsOn(page: Page, rules?: string[]): Promise<string[]> {
  // The source is large, and stays loaded until the next navigation.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  return page.evaluate(async (runOptions) => {
    const { violations } = await window.axe!.run(runOptions);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id} at ${target.join(" ")}`),
    );
  }, options);
}
