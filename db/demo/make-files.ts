/**
 * Renders the demo's files from `sources/`, and writes `areas.json` with the area of each element that a remark is
 * about. Run it only if a source changes, and commit its output:
 *
 *     node db/demo/make-files.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import type { Area } from "../../app/annotations/rules.ts";
import { findChromium } from "../../tests/support/product/chromium.ts";

const folder = import.meta.dirname;
const fonts = join(folder, "../../app/ui/fonts");

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ["--no-sandbox", "--font-render-hinting=none"],
});
try {
  const styles = await faces();
  const resume = await open(browser, "resume", styles);
  const portfolio = await open(browser, "portfolio", styles);
  const areas = { ...(await areasOn(resume)), ...(await areasOn(portfolio)) };
  await writeFile(join(folder, "areas.json"), `${JSON.stringify(areas, null, 2)}\n`);
  await print(resume, "resume.pdf");
  await print(portfolio, "portfolio.pdf");
  await photographMarked(resume);
  await reorder(resume);
  await print(resume, "resume in new order.pdf");
} finally {
  await browser.close();
}

async function open(chrome: Browser, name: string, styles: string): Promise<Page> {
  const page = await chrome.newPage({ viewport: { width: 1280, height: 1200 } });
  await page.goto(`file://${join(folder, "sources", `${name}.html`)}`);
  await page.addStyleTag({ content: styles });
  await page.evaluate(() => document.fonts.ready);
  return page;
}

type Areas = Record<string, Record<string, Area>>;

/** Returns areas by page, then by the name in `data-remark`. The box on a page is drawn a little outside its area. */
async function areasOn(page: Page): Promise<Areas> {
  return page.evaluate(() => {
    const share = (length: number, of: number) => Math.round((length / of) * 10_000) / 10_000;
    const pages = [...document.querySelectorAll<HTMLElement>(".page")].map((sheet) => {
      const pageBox = sheet.getBoundingClientRect();
      const marked = [...sheet.querySelectorAll<HTMLElement>("[data-remark]")].map((element) => {
        const box = element.getBoundingClientRect();
        const area: Area = {
          x: share(box.left - pageBox.left, pageBox.width),
          y: share(box.top - pageBox.top, pageBox.height),
          width: share(box.width, pageBox.width),
          height: share(box.height, pageBox.height),
        };
        return [element.dataset.remark!, area];
      });
      return [sheet.id, Object.fromEntries(marked)];
    });
    return Object.fromEntries(pages) as Areas;
  });
}

async function print(page: Page, name: string): Promise<void> {
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  await writeFile(join(folder, "files", name), pdf);
}

/** Takes a screenshot of the resume's second page, with a frame around the project that should come first. */
async function photographMarked(page: Page): Promise<void> {
  const frame = await page.addStyleTag({
    content: "[data-remark=ration] { outline: 4px solid #d33f1c; outline-offset: 10px; }",
  });
  await page.locator("#resume-2").screenshot({ path: join(folder, "files", "marked.png") });
  await frame.evaluate((style) => (style as HTMLElement).remove());
}

/** Moves the projects before the education, as the reviewer suggests. */
async function reorder(page: Page): Promise<void> {
  await page.evaluate(() => {
    const [education, projects] = ["education", "projects"].map((id) =>
      document.getElementById(id)!,
    );
    document.querySelector("#resume-2")!.prepend(education!);
    document.querySelector("#resume-1")!.append(projects!);
  });
}

async function faces(): Promise<string> {
  const files = [
    ["Instrument", "instrument-sans", "400 700"],
    ["Anek", "anek-latin", "100 800"],
    ["Anek Devanagari", "anek-devanagari", "100 800"],
  ];
  const rules = files.map(async ([family, file, weight]) => {
    const bytes = await readFile(join(fonts, `${file}.woff2`), "base64");
    return `@font-face { font-family: "${family}"; font-weight: ${weight};
      src: url(data:font/woff2;base64,${bytes}); }`;
  });
  return (await Promise.all(rules)).join("\n");
}
