import { mkdir } from "node:fs/promises";
import { type Browser, chromium } from "@playwright/test";
import { startProduct } from "./journeys/support/product.ts";
import { signInByCookie } from "./journeys/support/test.ts";
import { findChromium } from "./support/chromium.ts";
import { ownPostgres } from "./support/own-postgres.ts";
import { type Screen, screensOf } from "./support/screens.ts";

/**
 * `npm run screens`: pictures of every screen, on a phone and on a desk, in both themes, in `screens/`.
 * Words after `--` choose those whose names contain one of them.
 */
const wanted = process.argv.slice(2);
const widths = [360, 1280];
const themes = ["light", "dark"] as const;

const postgres = await ownPostgres({ durable: false });
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
});
try {
  await mkdir("screens", { recursive: true });
  for (const screen of await screensOf(product)) {
    if (wanted.length > 0 && !wanted.some((word) => screen.name.includes(word))) continue;
    for (const width of widths) {
      for (const theme of themes) await picture(browser, screen, width, theme);
    }
    console.log(screen.name);
  }
} finally {
  await browser.close();
  await product.stop();
  await postgres.end();
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
  await page.goto(screen.path, { waitUntil: "load" });
  // The payment and a mailed link are looked at for a moment before the screen says how they stand.
  await page.locator("main .spinner").waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({
    path: `screens/${screen.name}-${width}-${theme}.png`,
    fullPage: true,
    animations: "disabled",
  });
  await context.close();
}
