import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Looks at a page by all of axe's rules. */
export function axeOn(page: Page): AxeBuilder {
  return (
    new AxeBuilder({ page })
      .options({ resultTypes: ["violations"] })
      // No frames of ours hold anything; the other mode opens a page more for each screen.
      .setLegacyMode()
  );
}

/** What axe objects to, and where. */
export async function objectionsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(" ")}`),
  );
}
