import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import type { Screen } from "../../support/screens.ts";
import type { RunningProduct } from "./product.ts";
import { signInByCookie, whenLive } from "./test.ts";

/** Opens each screen as the person who sees it, in one browser a person, and looks at it. */
export async function onEachScreen(
  { browser, product, screens }: { browser: Browser; product: RunningProduct; screens: Screen[] },
  settings: BrowserContextOptions,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const pages = new Map<string | undefined, Page>();
  for (const { name, path, as } of screens) {
    if (!pages.has(as)) {
      const context = await browser.newContext({ baseURL: product.origin, ...settings });
      if (as) await signInByCookie(context, product, as);
      const page = await context.newPage();
      pages.set(as, settings.javaScriptEnabled === false ? page : whenLive(page));
    }
    const page = pages.get(as)!;
    await page.goto(path);
    await look(page, name);
  }
  for (const page of pages.values()) await page.context().close();
}
