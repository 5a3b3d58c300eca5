import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFObjectCopier,
  PDFPage,
  type PDFPageLeaf,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import type { Part } from "../../reviews/rubric.ts";
import type { AnnotatedSheet, AnnotateJob } from "./annotate-job.ts";
import { getPageFrame, getPageSpace } from "./page-space.server.ts";

/** The customer's files as one document, with their internal links. */
export type Originals = {
  document: PDFDocument;
  /** The pages of each PDF; files of other types have none. */
  pages: Map<Part, PDFPage[]>;
  /** The table of contents of each PDF, as an object of the document. */
  outlines: Map<Part, PDFDict>;
};

/**
 * Opens the PDFs of a job and merges the second into the first. Encrypted files open if they need no
 * password.
 *
 * @returns the parts whose file cannot be annotated, or shows other pages than the remarks are pinned to
 */
export async function openOriginals({
  folder,
  originals,
  sheets,
}: Pick<AnnotateJob, "folder" | "originals" | "sheets">): Promise<Originals | Part[]> {
  const opened = await Promise.all(
    originals.map(async ({ part, file }) => ({
      part,
      document: await loadOriginal(join(folder, file), part, sheets),
    })),
  );
  const unusable = opened.filter(({ document }) => !document).map(({ part }) => part);
  if (unusable.length > 0) return unusable;
  const [first, ...others] = opened as { part: Part; document: PDFDocument }[];
  const document = first?.document ?? (await PDFDocument.create());
  const pages = new Map<Part, PDFPage[]>();
  const outlines = new Map<Part, PDFDict>();
  if (first) {
    pages.set(first.part, document.getPages());
    const outline = document.catalog.lookup(toPdfName("Outlines"));
    if (outline instanceof PDFDict) outlines.set(first.part, outline);
  }
  for (const { part, document: other } of others) {
    const copied = mergeDocument(document, other);
    pages.set(part, copied.pages);
    if (copied.outline) outlines.set(part, copied.outline);
  }
  removeStaleEntries(document);
  return { document, pages, outlines };
}

const toPdfName = (text: string) => PDFName.of(text);

/** Loads a PDF; null if it cannot be read, or its pages differ from those on screen. */
async function loadOriginal(path: string, part: Part, sheets: AnnotatedSheet[]) {
  try {
    const document = await PDFDocument.load(await readFile(path), {
      password: "",
      parseSpeed: ParseSpeeds.Fastest,
      updateMetadata: false,
    });
    const pages = document.getPages();
    const own = sheets.filter(({ page }) => page?.part === part);
    return pages.length > 0 && own.every((sheet) => matchesAspectRatio(pages, sheet))
      ? document
      : null;
  } catch {
    // Browsers may still open such a file, so its pictures are used instead.
    return null;
  }
}

/** Sides are rounded to whole pixels when a page is rendered. */
const tolerance = 0.02;

function matchesAspectRatio(pages: PDFPage[], { page, width, height }: AnnotatedSheet): boolean {
  const own = pages[page!.number - 1];
  if (!own) return false;
  const space = getPageSpace(getPageFrame(own));
  const ratio = space.width / space.height / (width / height);
  return Math.abs(ratio - 1) < tolerance;
}

/**
 * Appends a document to another. Pages are copied by reference, so that links lead to the copies. The
 * library's own page copying adds a second, hidden copy of every linked page.
 */
function mergeDocument(document: PDFDocument, other: PDFDocument) {
  resolveNamedDestinations(other);
  const copier = PDFObjectCopier.for(other.context, document.context);
  const pages = other.getPages().map((page) => {
    const ref = copier.copy(page.ref);
    const copy = PDFPage.of(document.context.lookup(ref) as PDFPageLeaf, ref, document);
    document.addPage(copy);
    return copy;
  });
  const form = other.catalog.get(toPdfName("AcroForm"));
  if (form) mergeForms(document, copier.copy(form));
  const outline = other.catalog.get(toPdfName("Outlines"));
  const copied = outline && document.context.lookup(copier.copy(outline));
  return { pages, outline: copied instanceof PDFDict ? copied : null };
}

function mergeForms(document: PDFDocument, form: PDFObject): void {
  const { catalog, context } = document;
  const [own, other] = [catalog.lookup(toPdfName("AcroForm")), context.lookup(form)];
  if (!(own instanceof PDFDict)) {
    catalog.set(toPdfName("AcroForm"), form);
    return;
  }
  const [fields, more] = [own, other].map((one) =>
    one instanceof PDFDict ? one.lookup(toPdfName("Fields")) : undefined,
  );
  if (!(more instanceof PDFArray)) return;
  const before = fields instanceof PDFArray ? fields.asArray() : [];
  own.set(toPdfName("Fields"), context.obj([...before, ...more.asArray()]));
}

/** Replaces named destinations with their targets, since names are not unique after merging. */
function resolveNamedDestinations(document: PDFDocument): void {
  const { catalog } = document;
  const destinations = new Map<string, PDFObject>();
  const old = catalog.lookup(toPdfName("Dests"));
  if (old instanceof PDFDict)
    for (const [key, value] of old.entries()) destinations.set(key.decodeText(), value);
  const names = catalog.lookup(toPdfName("Names"));
  const tree = names instanceof PDFDict ? names.lookup(toPdfName("Dests")) : undefined;
  extractNamedDestinations(tree, destinations, new Set());
  if (destinations.size === 0) return;
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    resolveDestination(object, "Dest", destinations);
    const action = object.lookup(toPdfName("A"));
    if (action instanceof PDFDict) resolveDestination(action, "D", destinations);
  }
}

function extractNamedDestinations(
  node: unknown,
  destinations: Map<string, PDFObject>,
  visited: Set<unknown>,
): void {
  if (!(node instanceof PDFDict) || visited.has(node)) return;
  visited.add(node);
  const [pairs, kids] = [node.lookup(toPdfName("Names")), node.lookup(toPdfName("Kids"))];
  if (pairs instanceof PDFArray)
    for (let at = 0; at + 1 < pairs.size(); at += 2) {
      const key = pairs.lookup(at);
      if (isPdfText(key)) destinations.set(key.decodeText(), pairs.get(at + 1));
    }
  if (kids instanceof PDFArray)
    for (let at = 0; at < kids.size(); at++)
      extractNamedDestinations(kids.lookup(at), destinations, visited);
}

function resolveDestination(holder: PDFDict, key: string, destinations: Map<string, PDFObject>) {
  const named = holder.lookup(toPdfName(key));
  if (!isPdfText(named) && !(named instanceof PDFName)) return;
  const destination = destinations.get(named.decodeText());
  const target = destination instanceof PDFRef ? holder.context.lookup(destination) : destination;
  const array = target instanceof PDFDict ? target.lookup(toPdfName("D")) : target;
  if (array instanceof PDFArray) holder.set(toPdfName(key), array);
}

function isPdfText(object: unknown): object is PDFString | PDFHexString {
  return object instanceof PDFString || object instanceof PDFHexString;
}

/**
 * Removes entries about the original file that no longer apply: its opening view, page labels and conformance.
 */
function removeStaleEntries({ catalog }: PDFDocument): void {
  const removedKeys = ["OpenAction", "PageLabels", "PageMode", "Perms", "Metadata", "Outlines"];
  for (const key of removedKeys) catalog.delete(toPdfName(key));
}
