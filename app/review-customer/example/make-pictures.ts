/**
 * Renders the pictures of the example review from `sources/`, and writes `places.json`: the place of each element
 * that a remark is about. Run it only when a source changes, and commit its output. The fictional designer's fonts
 * come from npm packages that the product itself does not use:
 *
 *     npm install --prefix /tmp/faces @fontsource/poppins@5.3.0 @fontsource-variable/fraunces@5.3.0 \
 *       @fontsource-variable/bricolage-grotesque@5.3.0 @fontsource-variable/dm-sans@5.3.0
 *     node app/review-customer/example/make-pictures.ts /tmp/faces
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../../tests/support/product/chromium.ts";
import type { Area } from "../../annotations/rules.ts";
import {
  hashExampleSources,
  getSourcePath,
  type Place,
  type Places,
  type Source,
  sources,
} from "./sources.ts";

const folder = import.meta.dirname;
const pictures = join(folder, "pictures");

/** The picture quality for each source. Compression shows more on small letters. */
const quality: Record<Source, { large: number; small: number }> = {
  resume: { large: 72, small: 70 },
  portfolio: { large: 76, small: 74 },
  website: { large: 76, small: 74 },
};

/** The widths of a page's two pictures, in pixels. */
const widths = { large: 1600, small: 800 };

/** The margin around a marked element, as a share of the page's width. */
const margin = 0.009;

await renderPictures(process.argv[2] ?? "");

async function renderPictures(faces: string): Promise<void> {
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures);
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--font-render-hinting=none"],
  });
  const places: Places = { sources: hashExampleSources(), pages: {} };
  try {
    const styles = await buildFontStyles(faces);
    for (const source of Object.keys(sources) as Source[])
      Object.assign(places.pages, await renderExamplePages(browser, source, styles));
    await renderTeaser(browser, styles);
  } finally {
    await browser.close();
  }
  await writeFile(join(folder, "places.json"), `${JSON.stringify(places, null, 2)}\n`);
}

async function renderExamplePages(browser: Browser, source: Source, styles: string) {
  const page = await openSource(browser, source, styles);
  const pages: Places["pages"] = {};
  for (const name of await page.locator(".page").evaluateAll((all) => all.map(({ id }) => id))) {
    pages[name] = await measurePlaces(page, name);
    for (const size of ["large", "small"] as const) {
      const scale = widths[size] / sources[source];
      await writeScreenshot(page, name, `${name}-${size}`, {
        quality: quality[source][size],
        scale,
      });
    }
  }
  await page.close();
  return pages;
}

async function openSource(browser: Browser, source: Source, styles: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: sources[source], height: 1200 } });
  await page.goto(`file://${getSourcePath(source)}`);
  await page.addStyleTag({ content: styles });
  const found = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === "loaded").length;
  });
  if (found === 0)
    throw new Error(
      "The fonts were not found. The comment at the top of this file says how to get them.",
    );
  return page;
}

/** Measures the elements with `data-remark`; one with `data-point` is measured as its center. */
async function measurePlaces(page: Page, name: string): Promise<Place> {
  return page.locator(`#${name}`).evaluate((sheet, marginShare) => {
    const sheetBox = sheet.getBoundingClientRect();
    const share = (length: number, of: number) => Math.round((length / of) * 10_000) / 10_000;
    const areas: Record<string, Area> = {};
    for (const element of sheet.querySelectorAll<HTMLElement>("[data-remark]")) {
      const box = element.getBoundingClientRect();
      const isPoint = "point" in element.dataset;
      const pad = isPoint ? 0 : marginShare * sheetBox.width;
      const [left, top] = [box.left - sheetBox.left - pad, box.top - sheetBox.top - pad];
      areas[element.dataset.remark!] = {
        x: share(isPoint ? left + box.width / 2 : left, sheetBox.width),
        y: share(isPoint ? top + box.height / 2 : top, sheetBox.height),
        width: isPoint ? 0 : share(box.width + 2 * pad, sheetBox.width),
        height: isPoint ? 0 : share(box.height + 2 * pad, sheetBox.height),
      };
    }
    const isPaper = sheetBox.height > sheetBox.width;
    const width = isPaper ? 595 : sheetBox.width * 0.75;
    return { width, height: Math.round((width / sheetBox.width) * sheetBox.height), areas };
  }, margin);
}

/** Renders the picture for the home page: part of the first page, with two places marked. */
async function renderTeaser(browser: Browser, styles: string): Promise<void> {
  const page = await openSource(browser, "resume", styles);
  await page.addStyleTag({
    content: `#resume-1 { height: 560px; }
      mark[data-remark=objective] { --colour: #bf3413; --number: "2"; }
      mark[data-remark=sign-up] { --colour: #22633a; --number: "5"; }
      mark:is([data-remark=objective], [data-remark=sign-up]) { position: relative;
        display: inline-block; outline: 2px solid var(--colour); outline-offset: 5px; }
      mark::before { content: var(--number); position: absolute; inset: -24px auto auto -24px;
        display: grid; place-items: center; width: 38px; height: 38px; background: var(--colour);
        clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); color: #fff; font-weight: 600; }
      mark[data-remark=sign-up]::before {
        clip-path: polygon(25% 8%, 75% 8%, 94% 30%, 94% 70%, 75% 92%, 25% 92%, 6% 70%, 6% 30%); }`,
  });
  await writeScreenshot(page, "resume-1", "teaser", { quality: 38, scale: 0.8 });
  await page.close();
}

/** Writes a WebP screenshot, which Chromium offers only through its own protocol. */
async function writeScreenshot(
  page: Page,
  id: string,
  name: string,
  { quality, scale }: { quality: number; scale: number },
): Promise<void> {
  const box = await page.locator(`#${id}`).boundingBox();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format: "webp",
    quality,
    clip: { ...box!, scale },
    captureBeyondViewport: true,
  });
  await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, "base64"));
}

async function buildFontStyles(packages: string): Promise<string> {
  const files: [family: string, weight: string, file: string][] = [
    ...["400", "500", "600"].map((weight): [string, string, string] => [
      "Poppins",
      weight,
      `@fontsource/poppins/files/poppins-latin-${weight}-normal.woff2`,
    ]),
    ["Fraunces", "100 900", "@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2"],
    ["DM Sans", "100 1000", "@fontsource-variable/dm-sans/files/dm-sans-latin-opsz-normal.woff2"],
    // The rupee sign of DM Sans is in a separate file.
    [
      "DM Rupee",
      "100 1000",
      "@fontsource-variable/dm-sans/files/dm-sans-latin-ext-opsz-normal.woff2",
    ],
    [
      "Bricolage",
      "200 800",
      "@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
    ],
  ];
  const faces = files.map(async ([family, weight, file]) => {
    const bytes = await readFile(join(packages, "node_modules", file));
    return `@font-face { font-family: "${family}"; font-weight: ${weight};
      src: url(data:font/woff2;base64,${bytes.toString("base64")}); }`;
  });
  return (await Promise.all(faces)).join("\n");
}
