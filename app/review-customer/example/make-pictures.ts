/**
 * Renders the pictures of the example review from `sources/`, and writes `areas.json`: the area of each element
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
import sharp from "sharp";
import { findChromium } from "../../../tests/support/product/chromium.ts";
import { pinShapes } from "../../annotations/severities.ts";
import { toMarkStyle } from "../../annotations/plate/mark-style.ts";
import type { PinPosition } from "../../annotations/pin-positions.ts";
import { getPinPositions } from "../../annotations/pin-positions.ts";
import { getNumbers, sortByReadingOrder } from "../../annotations/reading-order.ts";
import type { Area, Remark } from "../../annotations/rules.ts";
import { chosenId, croppedPage, type ExampleRemark, exampleRemarks } from "./remarks.ts";
import {
  type Crop,
  hashExampleSources,
  getSourcePath,
  type MeasuredPage,
  type Measured,
  type Source,
  sources,
} from "./sources.ts";
import { formatSelector } from "../../ui/class-names.ts";

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

/** The layouts of the crop, in CSS pixels: a wide one, and one for phones, where pins are larger beside the page. */
const cropLayouts = {
  wide: { width: 576, scale: 1.75 },
  narrow: { width: 328, scale: 2 },
};

/** AVIF takes a third less than WebP here. The wide WebP is for browsers without AVIF and for link previews. */
const cropQuality = { avif: 48, webp: 60 };

await renderPictures(process.argv[2] ?? "");

async function renderPictures(faces: string): Promise<void> {
  await rm(pictures, { recursive: true, force: true });
  await mkdir(pictures);
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--font-render-hinting=none"],
  });
  const measured: Omit<Measured, "crop"> & Partial<Measured> = {
    sources: hashExampleSources(),
    pages: {},
  };
  try {
    const styles = await buildFontStyles(faces);
    for (const source of Object.keys(sources) as Source[])
      Object.assign(measured.pages, await renderExamplePages(browser, source, styles));
    measured.crop = await renderCrop(browser, measured.pages[croppedPage]!);
  } finally {
    await browser.close();
  }
  await writeFile(join(folder, "areas.json"), `${JSON.stringify(measured, null, 2)}\n`);
}

async function renderExamplePages(browser: Browser, source: Source, styles: string) {
  const page = await openSource(browser, source, styles);
  const pages: Measured["pages"] = {};
  for (const name of await page.locator(".page").evaluateAll((all) => all.map(({ id }) => id))) {
    pages[name] = await measureAreas(page, name);
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
  const boxes = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].filter(({ status }) => status === "loaded").length;
  });
  if (boxes === 0)
    throw new Error(
      "The fonts were not found. The comment at the top of this file says how to get them.",
    );
  return page;
}

/**
 * Measures the elements with `data-remark`; one with `data-point` is measured as its center. The box on a page is drawn
 * a little outside its area.
 */
async function measureAreas(page: Page, name: string): Promise<MeasuredPage> {
  return page.locator(`#${name}`).evaluate((sheet) => {
    const sheetBox = sheet.getBoundingClientRect();
    const share = (length: number, of: number) => Math.round((length / of) * 1000) / 1000;
    const areas: Record<string, Area> = {};
    for (const element of sheet.querySelectorAll<HTMLElement>("[data-remark]")) {
      const box = element.getBoundingClientRect();
      const isPoint = "point" in element.dataset;
      const [left, top] = [box.left - sheetBox.left, box.top - sheetBox.top];
      areas[element.dataset.remark!] = {
        x: share(isPoint ? left + box.width / 2 : left, sheetBox.width),
        y: share(isPoint ? top + box.height / 2 : top, sheetBox.height),
        width: isPoint ? 0 : share(box.width, sheetBox.width),
        height: isPoint ? 0 : share(box.height, sheetBox.height),
      };
    }
    const isPaper = sheetBox.height > sheetBox.width;
    const width = isPaper ? 595 : sheetBox.width * 0.75;
    return { width, height: Math.round((width / sheetBox.width) * sheetBox.height), areas };
  });
}

/** Renders the upper half of the first page with its pins in the margin, as other pages show it. */
async function renderCrop(browser: Browser, { width, height, areas }: MeasuredPage): Promise<Crop> {
  const remarks = exampleRemarks
    .filter(({ page }) => page === croppedPage)
    .map(({ id, severity }): Pick<Remark, "id" | "severity" | "target" | "area" | "number"> => ({
      id,
      severity,
      target: { kind: "page", part: "resume", page: 1 },
      area: areas[id] ?? null,
    }));
  const sorted = sortByReadingOrder(remarks);
  const numbers = getNumbers(sorted);
  const placed = sorted.flatMap(({ area, ...remark }, index) =>
    area ? [{ ...remark, area, number: numbers[index]! }] : [],
  );
  const pins = getPinPositions(placed, height / width);
  const upper = placed.filter(({ area }) => area.y < 1 / 2);
  const marks = upper.map((remark) => buildMark(remark, pins[remark.id]!)).join("");
  const picture = await readFile(join(pictures, `${croppedPage}-large.webp`), "base64");
  const page = await browser.newPage();
  await page.setContent(`<style>${await buildPlateStyles()}</style>
    <div class="plate" id="crop">
      <div class="plate_paper">
        <img src="data:image/webp;base64,${picture}"><div class="plate_pins">${marks}</div>
      </div>
    </div>`);
  const sides: Partial<Crop> = {};
  for (const layout of ["wide", "narrow"] as const) {
    const { width: shownWidth, scale } = cropLayouts[layout];
    await page.setViewportSize({ width: layout === "wide" ? 1280 : 360, height: 800 });
    await page.addStyleTag({ content: `.plate { width: ${shownWidth}px; }` });
    await page.evaluate(() => document.fonts.ready);
    const box = (await page.locator("#crop").boundingBox())!;
    const picture = sharp(await renderScreenshot(page, "crop", { format: "png", scale }));
    const file = join(pictures, `crop-${layout}`);
    await picture.avif({ quality: cropQuality.avif, effort: 9 }).toFile(`${file}.avif`);
    if (layout === "wide")
      await picture.webp({ quality: cropQuality.webp, effort: 6 }).toFile(`${file}.webp`);
    sides[layout] = {
      width: Math.round(shownWidth * scale),
      height: Math.round(box.height * scale),
    };
  }
  await page.close();
  return { ...(sides as Crop), numbers: upper.map(({ number }) => number) };
}

type PlacedRemark = Pick<ExampleRemark, "id" | "severity"> & { number: number; area: Area };

function buildMark({ id, number, severity, area }: PlacedRemark, pin: PinPosition): string {
  const style = Object.entries(toMarkStyle(area, pin)).map(([name, value]) => `${name}: ${value}`);
  return `<span class="plate_mark" data-severity="${severity}" style="${style.join("; ")}"
    ${id === chosenId ? "data-lit" : ""}>
    <span class="plate_box"></span>
    <a><svg class="pin-sign" viewBox="-18 -18 36 36">
      <g class="pin-sign_shape" data-severity="${severity}">
        <path d="${pinShapes[severity]}" /><text y="0.36em">${number}</text>
      </g>
    </svg></a></span>`;
}

/** The product's own styles of a page with pins, changed to show its upper half without the letters of the grid. */
async function buildPlateStyles(): Promise<string> {
  const read = async (file: string) =>
    formatSelector(await readFile(join(folder, "../../annotations", file), "utf8"), file);
  const font = await readFile(join(folder, "../../ui/fonts/instrument-sans.woff2"), "base64");
  return `
    @font-face { font-family: "Instrument Sans"; font-weight: 400 600;
      src: url(data:font/woff2;base64,${font}); }
    :root { --font-text: "Instrument Sans"; --text-xs: 13px; --touch: 44px; }
    *, ::before, ::after { box-sizing: border-box; margin: 0; border: 0 solid; }
    ${await read("pin-sign.module.css")}
    ${await read("plate/plate.module.css")}
    .plate { --frame: 0.5rem; border-bottom: 0; }
    .plate::before { content: none; }
    .plate_paper { aspect-ratio: 595 / 420.5; overflow-y: clip; }
    .plate_paper img { position: absolute; }
    .plate_pins { height: 200%; }`;
}

/** Writes a WebP screenshot, which Chromium offers only through its own protocol. */
async function writeScreenshot(
  page: Page,
  id: string,
  name: string,
  look: { quality: number; scale: number },
): Promise<void> {
  const picture = await renderScreenshot(page, id, { format: "webp", ...look });
  await writeFile(join(pictures, `${name}.webp`), picture);
}

async function renderScreenshot(
  page: Page,
  id: string,
  { scale, ...format }: { format: "png" | "webp"; quality?: number; scale: number },
): Promise<Buffer> {
  const box = await page.locator(`#${id}`).boundingBox();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    ...format,
    clip: { ...box!, scale },
    captureBeyondViewport: true,
  });
  return Buffer.from(data, "base64");
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
