import { PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, PDFRef } from "@cantoo/pdf-lib";
import type { Book } from "../pdf/book.server.ts";

/** An entry of the table of contents that readers show beside the pages. */
export type Entry = {
  title: string;
  /** A place of the book. */
  to: string;
  /** A table of contents that the part has itself, which goes below. */
  own?: PDFDict;
};

/** Gives the document a table of contents; an entry whose place was not named is left out. */
export function setOutline({ document, destination }: Book, entries: Entry[]): void {
  const { context, catalog } = document;
  const items = entries.flatMap(({ title, to, own }) => {
    const place = destination(to);
    return place ? [{ title, place, own, ref: context.nextRef() }] : [];
  });
  if (items.length === 0) return;
  const root = context.obj({ Type: "Outlines", Count: items.length });
  const rootRef = context.register(root);
  root.set(name("First"), items[0]!.ref);
  root.set(name("Last"), items.at(-1)!.ref);
  for (const [index, { title, place, own, ref }] of items.entries()) {
    const item = context.obj({ Title: PDFHexString.fromText(title), Parent: rootRef, Dest: place });
    if (index > 0) item.set(name("Prev"), items[index - 1]!.ref);
    if (index + 1 < items.length) item.set(name("Next"), items[index + 1]!.ref);
    if (own) adopt(item, ref, own);
    context.assign(ref, item);
  }
  catalog.set(name("Outlines"), rootRef);
  catalog.set(name("PageMode"), name("UseOutlines"));
}

const name = (text: string) => PDFName.of(text);

/** Puts the entries of another table below an item, closed. */
function adopt(item: PDFDict, ref: PDFRef, own: PDFDict): void {
  const [first, last] = [own.get(name("First")), own.get(name("Last"))];
  if (!(first instanceof PDFRef) || !(last instanceof PDFRef)) return;
  const seen = new Set<PDFObject>();
  for (let at: PDFObject | undefined = first; at instanceof PDFRef && !seen.has(at);) {
    seen.add(at);
    const entry: PDFObject | undefined = own.context.lookup(at);
    if (!(entry instanceof PDFDict)) return;
    entry.set(name("Parent"), ref);
    at = entry.get(name("Next"));
  }
  item.set(name("First"), first);
  item.set(name("Last"), last);
  item.set(name("Count"), PDFNumber.of(-seen.size));
}
