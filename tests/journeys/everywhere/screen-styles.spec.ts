import type { APIRequestContext, Page } from "@playwright/test";
import { screensOf } from "../../support/inventory/screens-of-demo.ts";
import { sample } from "../../support/inventory/selection.ts";
import { splitIn } from "../support/parts.ts";
import { resizeTo, scriptsRun } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

/** React keeps the sheet of a screen after leaving it, so the sheet must not change the screens that follow. */

const [phone, desk] = [360, 1280];

for (const part of splitIn(5)) {
  test(`the sheets of other pages move nothing on a phone or desktop, ${part.name}`, async ({
    page: visitor,
    browserOf,
    product,
  }) => {
    const screens = await screensOf(product);
    const pages = new Map<string | undefined, Page>([[undefined, visitor]]);
    for (const { as } of screens) if (as && !pages.has(as)) pages.set(as, await browserOf(as));
    for (const page of pages.values()) await page.emulateMedia({ reducedMotion: "reduce" });
    const sheets = new Set<string>();
    for (const { as, path } of screens)
      for (const sheet of await listSheets(pages.get(as)!.request, path)) sheets.add(sheet);
    expect(sheets.size).toBeGreaterThan(5);

    const moved: string[] = [];
    // Widths alternate, which saves a resize for each screen.
    let widths = [desk, phone];
    for (const { as, name, path } of part.select(sample(screens, { every: 6 }))) {
      const page = pages.get(as)!;
      await page.goto(path);
      // A dialog can open then.
      await scriptsRun(page);
      await page.evaluate(addSheets, [...sheets]);
      for (const width of widths) {
        if (page.viewportSize()!.width !== width) await resizeTo(page, width);
        for (const part of await page.evaluate(findMoved))
          moved.push(`${name} at ${width}: ${part}`);
      }
      widths = widths.toReversed();
    }
    expect(moved).toEqual([]);
  });
}

/** Lists the sheets of a page. */
async function listSheets(request: APIRequestContext, path: string): Promise<string[]> {
  const html = await (await request.get(path)).text();
  const links = html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g);
  return [...links].map(([link]) => /\bhref="([^"]+)"/.exec(link)![1]!);
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
