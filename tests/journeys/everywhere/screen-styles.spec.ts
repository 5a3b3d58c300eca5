import type { Page } from "@playwright/test";
import { screensOf } from "../../support/inventory/screens.ts";
import { scriptsRun } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** React keeps the sheet of a screen after leaving it, so the sheet must not change the screens that follow. */

for (const [device, viewport] of [
  ["phone", { width: 360, height: 740 }],
  ["desktop", { width: 1280, height: 800 }],
] as const) {
  test(`the sheets of other pages move nothing on a visitor's ${device}`, async ({
    browser,
    product,
  }) => {
    const context = await browser.newContext({
      baseURL: product.origin,
      viewport,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const screens = (await screensOf(product)).filter(({ as }) => as === undefined);
    const sheets = new Set<string>();
    for (const { path } of screens) {
      await page.goto(path);
      for (const sheet of await listSheets(page)) sheets.add(sheet);
    }
    const moved: string[] = [];
    for (const { name, path } of screens) {
      await page.goto(path);
      // A dialog can open then.
      await scriptsRun(page);
      for (const part of await addSheets(page, [...sheets])) moved.push(`${name}: ${part}`);
    }
    await context.close();
    expect(moved).toEqual([]);
  });
}

function listSheets(page: Page): Promise<string[]> {
  return page
    .locator('link[rel="stylesheet"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
}

/** Adds the sheets that the page doesn't have, and returns the first element that they move. */
function addSheets(page: Page, sheets: string[]): Promise<string[]> {
  return page.evaluate(async (addresses) => {
    const place = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join(" ");
    };
    await document.fonts.ready;
    const parts = [...document.querySelectorAll("main *")];
    const before = parts.map(place);
    const missing = addresses.filter((href) => !document.querySelector(`link[href="${href}"]`));
    await Promise.all(
      missing.map((href) => {
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
        document.head.append(link);
        return new Promise((resolve) => link.addEventListener("load", resolve));
      }),
    );
    return parts
      .filter((part, index) => part.isConnected && place(part) !== before[index])
      .slice(0, 1)
      .map((part) => `${part.tagName} ${part.getAttribute("class") ?? ""}`);
  }, sheets);
}
