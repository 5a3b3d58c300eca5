import { mkdir, writeFile } from "node:fs/promises";
import { type Browser, chromium, type Page, type Route } from "@playwright/test";
import { startProduct } from "./journeys/support/product.ts";
import { signInByCookie, whenLive } from "./journeys/support/test.ts";
import { findChromium } from "./support/product/chromium.ts";
import { ownPostgres } from "./support/product/own-postgres.ts";
import type { Screen } from "./support/inventory/screens.ts";
import { screensOf } from "./support/inventory/screens-of-demo.ts";
import { readmePictures, takeReadmePicture } from "./support/readme-pictures.ts";

/**
 * Saves screenshots of every screen to `screens/`: four widths, both themes, before and after scripts load.
 * Words after `--` select screens by parts of their names; `readme` takes the pictures of the README instead.
 */
const filters = process.argv.slice(2);
const widths = [360, 768, 1280, 1920];
const themes = ["light", "dark"] as const;

const postgres = await ownPostgres({ durable: false });
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
});
try {
  if (filters.includes("readme")) await takeReadme(browser);
  else await takeScreens(browser);
} finally {
  await browser.close();
  await product.stop();
  await postgres.end();
}

async function takeReadme(chrome: Browser): Promise<void> {
  for (const picture of readmePictures) {
    const context = await chrome.newContext({
      baseURL: product.origin,
      viewport: { width: 1280, height: 800 },
    });
    if ("as" in picture) await signInByCookie(context, product, picture.as);
    const taken = await takeReadmePicture(whenLive(await context.newPage()), picture);
    await writeFile(picture.file, taken);
    await context.close();
    console.log(picture.file);
  }
}

async function takeScreens(chrome: Browser): Promise<void> {
  await mkdir("screens", { recursive: true });
  for (const screen of await screensOf(product)) {
    if (filters.length > 0 && !filters.some((word) => screen.name.includes(word))) continue;
    for (const width of widths) {
      for (const theme of themes) await picture(chrome, screen, width, theme);
    }
    console.log(screen.name);
  }
}

async function picture(
  chrome: Browser,
  screen: Screen,
  width: number,
  theme: "light" | "dark",
): Promise<void> {
  const height = width < 768 ? 780 : 860;
  const context = await chrome.newContext({
    baseURL: product.origin,
    colorScheme: theme,
    viewport: { width, height },
  });
  if (screen.as) await signInByCookie(context, product, screen.as);
  const page = await context.newPage();
  const releaseScripts = await holdScripts(page);
  const name = `screens/${screen.name}-${width}-${theme}`;
  await page.goto(screen.path, { waitUntil: "domcontentloaded" });
  await takePicture(page, `${name}-before.png`);
  await releaseScripts();
  await page.locator("html[data-live], html:not(:has(script))").waitFor({ state: "attached" });
  await page.waitForLoadState("load");
  // Payments and emailed links are checked before the screen shows the result.
  await page.locator("main .spinner:not(.gallery_specimen *)").waitFor({ state: "detached" });
  // Pages of a review load one by one.
  const coming = page.locator(".marked_notice").filter({ hasText: "Preparing" });
  await coming.first().waitFor({ state: "detached" });
  await takePicture(page, `${name}.png`);
  await context.close();
}

/** Delays a page's scripts until the returned function is called. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const delayed: Route[] = [];
  let isHolding = true;
  await page.route("**/*.js", (route) => (isHolding ? void delayed.push(route) : route.continue()));
  return async () => {
    isHolding = false;
    for (const route of delayed) await route.continue();
  };
}

async function takePicture(page: Page, path: string): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Lazy images below the fold would never load.
    for (const image of document.images) image.loading = "eager";
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
}
