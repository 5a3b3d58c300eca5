import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openPdfium } from "../../app/files/inspect/pdfium.server.ts";
import { overlays, pageKinds, pageOfKind } from "../support/documents/page-kinds.ts";
import { folder as producers, renderedFiles } from "../support/documents/rendered-files.ts";
import { say } from "./figures.ts";
import { missing } from "./missing.ts";

/**
 * Compares the words that reviewers, remarks and "What software reads" get with those of poppler, an independent PDF
 * engine. DRILL_FILES can name a folder of other PDFs to compare, such as `test/pdfs` of mozilla/pdf.js. Poppler and
 * PDFium divide and decode some words differently, so those files are only reported.
 */
if (spawnSync("pdftotext", ["-v"]).error) throw missing("poppler's pdftotext", "poppler-utils");

const above = mkdtempSync(join(tmpdir(), "naksha-words-drill-"));
afterAll(() => rmSync(above, { recursive: true }));
const figures: string[] = [];
afterAll(() => say("words", figures));

test.each(pageKinds)("a page with $name has poppler's words", async (kind) => {
  for (const overlay of [null, ...overlays]) {
    const path = join(above, "page.pdf");
    writeFileSync(path, pageOfKind(kind, overlay));
    if (overlay && differsInPoppler(kind.name, overlay.annotation)) continue;
    // Poppler treats each letter of a rotated line as a word.
    const isTurned = overlay?.name.includes("turned");
    const comparable = (words: string[]) =>
      isTurned ? Array.from(words.join("")).toSorted() : words;
    for (const { own, poppler } of await readBoth(path))
      expect(comparable(own), overlay?.name).toEqual(comparable(poppler));
  }
  figures.push(`${kind.name}: ${overlays.length + 1} documents`);
});

/**
 * Poppler draws highlights differently, and draws the windows of notes that browsers leave closed. It keeps notes
 * upright, so that on a rotated page the note of these tests is outside the page.
 */
function differsInPoppler(kind: string, annotation: string): boolean {
  const isTurned = kind.includes("turn");
  return (isTurned ? /\/(?:Highlight|Popup|Text)\b/ : /\/(?:Highlight|Popup)\b/).test(annotation);
}

const documents = renderedFiles.filter(({ mimeType }) => mimeType === "application/pdf");

test.each(documents)("$name has poppler's words", async ({ name }) => {
  for (const { own, poppler } of await readBoth(join(producers, name)))
    // Poppler and PDFium divide words of Indic scripts differently, but find the same letters.
    expect(own.join("")).toEqual(poppler.join(""));
});

const more = process.env.DRILL_FILES;

test.runIf(more)("other files have poppler's letters", { timeout: 3_600_000 }, async () => {
  const names = readdirSync(more!).filter((name) => name.endsWith(".pdf"));
  let same = 0;
  const differing: string[] = [];
  for (const name of names) {
    const pages = await readBoth(join(more!, name)).catch(() => []);
    const share = Math.max(0, ...pages.map(({ own, poppler }) => missingShare(own, poppler)));
    if (share < 0.1) same++;
    else differing.push(`${name} lacks ${Math.round(100 * share)}% of poppler's letters`);
  }
  console.log(differing.join("\n"));
  figures.push(`${same} of ${names.length} other files have poppler's letters`);
});

/** The number of pages compared in each file. */
const mostPages = 5;

/** Returns the sorted words of each page, ours and poppler's. A file that PDFium cannot open has none. */
async function readBoth(path: string): Promise<{ own: string[]; poppler: string[] }[]> {
  const document = (await openPdfium()).open(readFileSync(path));
  if (typeof document === "string") return [];
  return Array.from({ length: Math.min(mostPages, document.pageCount) }, (_, index) => {
    const page = document.openPage(index);
    const own = page?.text().text ?? "";
    page?.close();
    const number = String(index + 1);
    const poppler = execFileSync("pdftotext", ["-raw", "-f", number, "-l", number, path, "-"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 30_000,
    });
    return { own: wordsOf(own), poppler: wordsOf(poppler) };
  });
}

function wordsOf(text: string): string[] {
  return (text.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).toSorted();
}

/** Returns the share of poppler's letters that we lack. */
function missingShare(own: string[], poppler: string[]): number {
  const counts = new Map<string, number>();
  for (const letter of own.join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const letters = Array.from(poppler.join(""));
  const lacking = letters.filter((letter) => {
    const left = counts.get(letter) ?? 0;
    counts.set(letter, left - 1);
    return left <= 0;
  });
  return letters.length === 0 ? 0 : lacking.length / letters.length;
}
