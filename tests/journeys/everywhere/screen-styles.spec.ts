import type { APIRequestContext } from "@playwright/test";
import type { Screen } from "../../support/inventory/screens.ts";
import { screensOf } from "../../support/inventory/screens-of-demo.ts";
import { sample } from "../../support/inventory/selection.ts";
import { resizeTo, scriptsRun } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** React keeps the sheet of a screen after leaving it, so the sheet must not change the screens that follow. */

const [phone, desk] = [360, 1280];

test("the sheets of other pages move nothing on a visitor's phone or desktop", async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({
    baseURL: product.origin,
    viewport: { width: desk, height: 740 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const screens = (await screensOf(product)).filter(({ as }) => as === undefined);
  const sheets = await listSheets(context.request, screens);
  const moved: string[] = [];
  // Widths alternate, which saves a resize for each screen.
  let widths = [desk, phone];
  for (const { name, path } of sample(screens, { every: 3 })) {
    await page.goto(path);
    // A dialog can open then.
    await scriptsRun(page);
    await page.evaluate(addSheets, sheets);
    for (const width of widths) {
      if (page.viewportSize()!.width !== width) await resizeTo(page, width);
      for (const part of await page.evaluate(findMoved)) moved.push(`${name} at ${width}: ${part}`);
    }
    widths = widths.toReversed();
  }
  await context.close();
  expect(moved).toEqual([]);
});

/** Lists the sheets of all screens. */
async function listSheets(request: APIRequestContext, screens: Screen[]): Promise<string[]> {
  const sheets = new Set<string>();
  for (const { path } of screens) {
    const html = await (await request.get(path)).text();
    for (const [link] of html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g))
      sheets.add(/\bhref="([^"]+)"/.exec(link)![1]!);
  }
  expect(sheets.size).toBeGreaterThan(1);
  return [...sheets];
}

/** Adds the sheets that the page doesn't have. */
async function addSheets(addresses: string[]): Promise<void> {
  await document.fonts.ready;
  const missing = addresses.filter((href) => !document.querySelector(`link[href="${href}"]`));
  await Promise.all(
    missing.map((href) => {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      link.dataset.added = "";
      document.head.append(link);
      return new Promise((resolve) => link.addEventListener("load", resolve));
    }),
  );
}

/**
 * Returns the first element that the added sheets move. Turns them off and on within one task, since some screens change
 * by themselves.
 */
function findMoved(): string[] {
  const parts = [...document.querySelectorAll("main *")];
  const listPlaces = () =>
    parts.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join(" ");
    });
  const turn = (isOff: boolean) => {
    for (const { sheet } of document.querySelectorAll<HTMLLinkElement>("link[data-added]"))
      sheet!.disabled = isOff;
  };
  const withSheets = listPlaces();
  turn(true);
  const without = listPlaces();
  turn(false);
  return parts
    .filter((_, index) => withSheets[index] !== without[index])
    .slice(0, 1)
    .map((part) => `${part.tagName} ${part.getAttribute("class") ?? ""}`);
}
