import { expect, type Page } from "@playwright/test";

declare global {
  interface Window {
    bringScripts?: () => void;
  }
}

/**
 * Opens a screen whose scripts run only when the returned function is called. They are held in the page itself:
 * holding requests disables the cache, and each screen would load everything again.
 */
export async function openWithoutScripts(page: Page, path: string): Promise<() => Promise<void>> {
  const holding = await page.addInitScript(holdScripts);
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.evaluate(loaded);
  return async () => {
    expect(await page.evaluate(() => "live" in document.documentElement.dataset)).toBe(false);
    await holding.dispose();
    await page.evaluate(() => window.bringScripts!());
    await page.locator("html[data-live]").waitFor({ state: "attached" });
    // Effects of the first render are rendered too.
    await page.evaluate(
      () => new Promise((done) => requestIdleCallback(() => requestAnimationFrame(done))),
    );
  };
}

/** A page inserts its scripts after the first paint; here, when they are called. */
function holdScripts(): void {
  const { replaceWith } = Element.prototype;
  const held: (() => void)[] = [];
  Element.prototype.replaceWith = function (...nodes) {
    const put = () => replaceWith.apply(this, nodes);
    const isScript = nodes.some((node) => node instanceof HTMLScriptElement);
    if (isScript) held.push(put);
    else put();
  };
  window.bringScripts = () => {
    Element.prototype.replaceWith = replaceWith;
    for (const put of held) put();
  };
}

/** Waits for fonts and pictures: they give what stands around them another place. */
async function loaded(): Promise<void> {
  await document.fonts.ready;
  for (const image of document.querySelectorAll<HTMLImageElement>("img:not([loading=lazy])"))
    if (!image.complete)
      await new Promise((done) => {
        for (const end of ["load", "error"]) image.addEventListener(end, done);
      });
}
