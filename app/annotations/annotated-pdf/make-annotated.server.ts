import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRef,
} from "@cantoo/pdf-lib";
import { fileProblems } from "../../files/finding.ts";
import { openPdfium } from "../../files/inspect/pdfium.server.ts";
import { openPicture } from "../../files/render/open-picture.server.ts";
import { pointsOfPixel } from "../../files/render/rendering.ts";
import { type Book, openBook } from "../pdf/book.server.ts";
import { drawFooters, createTextPages } from "../pdf/text-pages.server.ts";
import { type Part, partNames } from "../../reviews/rubric.ts";
import {
  type AnnotateAnswer,
  type AnnotatedSheet,
  type AnnotateJob,
  annotatedFile,
} from "./annotate-job.ts";
import { openOriginals, type Originals } from "./originals.server.ts";
import { getPageFrame, getPageSpace } from "./page-space.server.ts";
import { addPins } from "./pins.server.ts";
import { drawOutcomes, drawPagePairs, type EmbedPicture } from "./second-look-pages.server.ts";
import { drawRemarks, drawSummary } from "./written-pages.server.ts";

/**
 * Writes a review's document to the job's folder: the summary, the customer's pages with pins, the reviewer's
 * screenshots, and all remarks in full.
 */
export async function writeAnnotatedPdf(job: AnnotateJob): Promise<AnnotateAnswer> {
  try {
    const originals = await openOriginals(job);
    if (Array.isArray(originals)) return { unusable: originals };
    const book = await openBook(originals.document);
    await drawReview(book, originals, job);
    const pages = book.document.getPageCount();
    const bytes = await book.document.save({
      objectsPerTick: Infinity,
      updateFieldAppearances: false,
    });
    if (!(await canOpen(bytes, pages))) return { unusable: job.originals.map(({ part }) => part) };
    await writeFile(join(job.folder, annotatedFile), bytes);
    return { bytes: bytes.length, pages };
  } catch (error) {
    // The library throws these when it runs out of memory.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
      return { problem: fileProblems.oversized };
    throw error;
  }
}

async function drawReview(book: Book, originals: Originals, job: AnnotateJob): Promise<void> {
  const { document } = book;
  const { sheets, unpinned, title, productName } = job;
  const atEnd = (size: [number, number]) => document.addPage(size);
  const pageOf = await placeSheets(book, originals, job);
  for (const sheet of sheets) {
    const page = pageOf.get(sheet);
    if (page) addPins(book, page, sheet.remarks, productName);
  }
  const remarks = [...sheets.flatMap((sheet) => sheet.remarks), ...unpinned];
  const full = createTextPages(book, atEnd);
  drawRemarks(book, full, sheets, unpinned);
  let first = 0;
  const summary = createTextPages(book, (size) => document.insertPage(first++, size));
  drawSummary(book, summary, job, remarks);
  const written = [...summary.pages(), ...full.pages()];
  if (job.secondLook) {
    const next = (size: [number, number]) => document.insertPage(first++, size);
    await drawPagePairs(book, job.secondLook, createEmbedder(book, job.folder), next);
    const outcomes = createTextPages(book, next);
    drawOutcomes(book, outcomes, job.secondLook);
    written.push(...outcomes.pages());
  }
  drawFooters(book, written, `${title} · ${productName}`);
  addOutline(book, listOutlineEntries(originals, sheets));
  book.finish();
  document.setTitle(`${title} - ${productName}`);
  document.setProducer(productName);
}

/** Gives each sheet its page in the order of the screen: an existing page, or one made from pictures. */
async function placeSheets(book: Book, { pages }: Originals, { folder, sheets }: AnnotateJob) {
  const { document } = book;
  const pageOf = new Map<AnnotatedSheet, PDFPage>();
  const resume = pages.get("resume");
  for (const part of ["resume", "portfolio"] as const) {
    const own = pages.get(part);
    // Pictures of the resume go before a portfolio that is already in the document.
    let next = part === "resume" && !resume ? 0 : document.getPageCount();
    for (const sheet of sheets.filter(({ page }) => page?.part === part)) {
      const page = own
        ? own[sheet.page!.number - 1]
        : await addPicturePage(book, folder, sheet, (size) => document.insertPage(next++, size));
      if (page) pageOf.set(sheet, page);
    }
    const first = own?.[0] ?? pageOf.get(sheets.find(({ page }) => page?.part === part)!);
    if (first) addTopDestination(book, part, first);
  }
  for (const sheet of sheets.filter(({ page }) => page === null)) {
    const page = await addPicturePage(book, folder, sheet, (size) => document.addPage(size));
    if (!page) continue;
    if (!book.destination("screenshots")) addTopDestination(book, "screenshots", page);
    pageOf.set(sheet, page);
  }
  return pageOf;
}

function addTopDestination(book: Book, name: string, page: PDFPage): void {
  book.addDestination(name, page, ...getPageSpace(getPageFrame(page)).point(0, 0));
}

function listOutlineEntries({ outlines }: Originals, sheets: AnnotatedSheet[]): Entry[] {
  const parts = (["resume", "portfolio"] as Part[]).map((part) => ({
    title: partNames[part],
    to: part,
    own: outlines.get(part),
  }));
  const screenshots = sheets.filter(({ page }) => page === null).length;
  return [
    { title: "Summary", to: "summary" },
    { title: "Second look", to: "second-look" },
    ...parts,
    { title: screenshots === 1 ? "Screenshot" : "Screenshots", to: "screenshots" },
    { title: "Remarks", to: "remarks" },
  ];
}

/** Checks whether a document made from an untrusted file opens with all its pages. */
async function canOpen(bytes: Uint8Array, pages: number): Promise<boolean> {
  const pdfium = await openPdfium();
  try {
    const document = pdfium.open(bytes);
    if (typeof document === "string") return false;
    return document.pageCount === pages && document.loadsPage(pages - 1);
  } catch (error) {
    if (pdfium.failureOf(error) === "crashed") return false;
    throw error;
  }
}

/** An entry in the table of contents that PDF readers show beside the pages. */
type Entry = {
  title: string;
  /** The name of a destination in the book. */
  to: string;
  /** The part's own table of contents, nested below the entry. */
  own?: PDFDict;
};

/** Adds a table of contents; entries without a destination are left out. */
function addOutline({ document, destination }: Book, entries: Entry[]): void {
  const { context, catalog } = document;
  const items = entries.flatMap(({ title, to, own }) => {
    const target = destination(to);
    return target ? [{ title, target, own, ref: context.nextRef() }] : [];
  });
  if (items.length === 0) return;
  const root = context.obj({ Type: "Outlines", Count: items.length });
  const rootRef = context.register(root);
  root.set(toPdfName("First"), items[0]!.ref);
  root.set(toPdfName("Last"), items.at(-1)!.ref);
  for (const [index, { title, target, own, ref }] of items.entries()) {
    const item = context.obj({
      Title: PDFHexString.fromText(title),
      Parent: rootRef,
      Dest: target,
    });
    if (index > 0) item.set(toPdfName("Prev"), items[index - 1]!.ref);
    if (index + 1 < items.length) item.set(toPdfName("Next"), items[index + 1]!.ref);
    if (own) attachOutlineEntries(item, ref, own);
    context.assign(ref, item);
  }
  catalog.set(toPdfName("Outlines"), rootRef);
  catalog.set(toPdfName("PageMode"), toPdfName("UseOutlines"));
}

const toPdfName = (text: string) => PDFName.of(text);

/** Adds the entries of another table below an item, collapsed. */
function attachOutlineEntries(item: PDFDict, ref: PDFRef, own: PDFDict): void {
  const [first, last] = [own.get(toPdfName("First")), own.get(toPdfName("Last"))];
  if (!(first instanceof PDFRef) || !(last instanceof PDFRef)) return;
  const visited = new Set<PDFObject>();
  for (let at: PDFObject | undefined = first; at instanceof PDFRef && !visited.has(at);) {
    visited.add(at);
    const entry: PDFObject | undefined = own.context.lookup(at);
    if (!(entry instanceof PDFDict)) return;
    entry.set(toPdfName("Parent"), ref);
    at = entry.get(toPdfName("Next"));
  }
  item.set(toPdfName("First"), first);
  item.set(toPdfName("Last"), last);
  item.set(toPdfName("Count"), PDFNumber.of(-visited.size));
}

/** The longest side in points that PDF readers must support. */
const maxSide = 14_400;
/** The width limit in points for pictures of unknown size: about as large as on a screen. */
const maxWidth = 960;

/**
 * Makes a page from a sheet's pictures.
 *
 * @param nextPage returns an empty page, already in its place in the document.
 * @returns null for a sheet whose pictures cannot be read.
 */
async function addPicturePage(
  book: Book,
  folder: string,
  sheet: AnnotatedSheet,
  nextPage: (size: [number, number]) => PDFPage,
): Promise<PDFPage | null> {
  const pictures = [];
  for (const { file, height } of sheet.pictures) {
    const picture = await readPicture(join(folder, file));
    if (!picture) return null;
    pictures.push({ ...picture, share: height });
  }
  const [first] = pictures;
  if (!first) return null;
  const wide = sheet.width || Math.min(maxWidth, first.width * pointsOfPixel);
  const high = sheet.height || (wide * first.height) / first.width;
  const scale = Math.min(1, maxSide / Math.max(wide, high));
  const [width, height] = [wide * scale, high * scale];
  const page = nextPage([width, height]);
  let top = height;
  for (const { jpeg, share } of pictures) {
    const image = await book.document.embedJpg(jpeg);
    top -= share * height;
    book.drawOn(page).image(image.ref, 0, top, width, share * height);
  }
  return page;
}

/** The width of the pictures of page pairs, in pixels: 190 per inch of a printed pair. */
const pairedWidth = 1000;

/** Embeds each picture of page pairs once, however many pairs show it. */
function createEmbedder({ document }: Book, folder: string): EmbedPicture {
  const embedded = new Map<string, PDFRef | null>();
  return async (file) => {
    const existing = embedded.get(file);
    if (existing !== undefined) return existing;
    const picture = await readPicture(join(folder, file), pairedWidth);
    const ref = picture && (await document.embedJpg(picture.jpeg)).ref;
    embedded.set(file, ref);
    return ref;
  };
}

/** Reads a picture as an upright JPEG on white, no wider than needed. */
async function readPicture(path: string, width?: number) {
  try {
    const { picture } = await openPicture(path, "none");
    const { data, info } = await picture
      .resize({ width, withoutEnlargement: true })
      .jpeg({ quality: 85, chromaSubsampling: "4:4:4" })
      .toBuffer({ resolveWithObject: true });
    return { jpeg: data, width: info.width, height: info.height };
  } catch {
    return null;
  }
}
