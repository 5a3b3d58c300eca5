import { expect, type Page } from "@playwright/test";

declare global {
  interface Window {
    bringScripts?: () => void;
  }
}

/**
 * Opens a screen whose scripts run only when the returned function is called. They are held in the page,
 * since holding requests would disable the cache and reload everything for each screen.
 */
export async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const initScript = await page.addInitScript(holdScripts);
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.evaluate(waitForLayout);
  return async () => {
    expect(await page.evaluate(() => "live" in document.documentElement.dataset)).toBe(false);
    await initScript.dispose();
    await page.evaluate(() => window.bringScripts!());
    await page.locator("html[data-live]").waitFor({ state: "attached" });
    // Waits until the effects of the first render are rendered too.
    await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => requestAnimationFrame(done))),
    );
  };
}

/** Delays the scripts that a page inserts after its first paint until `bringScripts` is called. */
function holdScripts(): void {
  const { replaceWith } = Element.prototype;
  const delayed: (() => void)[] = [];
  Element.prototype.replaceWith = function (...nodes) {
    const replace = () => replaceWith.apply(this, nodes);
    const isScript = nodes.some((node) => node instanceof HTMLScriptElement);
    if (isScript) delayed.push(replace);
    else replace();
  };
  window.bringScripts = () => {
    Element.prototype.replaceWith = replaceWith;
    for (const replace of delayed) replace();
  };
}

/** Waits for fonts and images, which shift the layout when they load. */
async function waitForLayout(): Promise<void> {
  await document.fonts.ready;
  for (const image of document.querySelectorAll<HTMLImageElement>("img:not([loading=lazy])"))
    if (!image.complete)
      await new Promise((done) => {
        for (const end of ["load", "error"]) image.addEventListener(end, done);
      });
}
