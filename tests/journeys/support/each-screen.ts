import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import type { Screen } from "../../support/inventory/screens.ts";
import type { RunningProduct } from "./product.ts";
import { signInByCookie, whenLive } from "./test.ts";

/**
 * Opens each screen in one browser, signed in as the person it is for.
 *
 * @param look called with the page, the screen's name and its index
 */
export async function onEachScreen(
  { browser, product, screens }: { browser: Browser; product: RunningProduct; screens: Screen[] },
  settings: BrowserContextOptions,
  look: (page: Page, name: string, position: number) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL: product.origin, ...settings });
  for (const [as, group] of Map.groupBy(screens, (screen) => screen.as)) {
    await context.clearCookies();
    if (as) await signInByCookie(context, product, as);
    const newPage = await context.newPage();
    const page = settings.javaScriptEnabled === false ? newPage : whenLive(newPage);
    for (const screen of group) {
      await page.goto(screen.path);
      await look(page, screen.name, screens.indexOf(screen));
    }
    // An open page would notice that another person is signed in.
    await page.close();
  }
  await context.close();
}
