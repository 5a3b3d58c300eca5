import {
  type PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
} from "@cantoo/pdf-lib";
import { type Drawing, newDrawing } from "./drawing.server.ts";
import { type Faces, openFaces } from "./faces.server.ts";

/** Left, bottom, right, top. */
export type Box = readonly [number, number, number, number];

/** A document that is being made: what is drawn, and what leads where, is written down at the end. */
export type Book = {
  document: PDFDocument;
  faces: Faces;
  /** Draws on a page that is our own. */
  drawOn(page: PDFPage): Drawing;
  /** Something by itself that is drawn in a box from 0, 0: what an annotation looks like. */
  appearance(
    width: number,
    height: number,
    matrix: readonly number[],
    draw: (on: Drawing) => void,
  ): PDFRef;
  annotate(page: PDFPage, annotation: PDFDict): void;
  /** Names a spot of a page, in its own space. */
  place(name: string, page: PDFPage, x: number, y: number): void;
  /**
   * Leads from a box of a page to a named spot, which may be named later. A name that nothing gets leads
   * nowhere, and makes no link.
   *
   * @param says for those who cannot see where it stands
   */
  link(page: PDFPage, box: Box, to: string, says: string): void;
  /** The place that a name has by then, as a destination. */
  destination(name: string): PDFArray | null;
  finish(): void;
};

export async function openBook(document: PDFDocument): Promise<Book> {
  const { context } = document;
  const faces = await openFaces(document);
  const fonts = context.obj({});
  const fontsRef = context.register(fonts);
  const drawings = new Map<PDFPage, Drawing>();
  const forms: { ref: PDFRef; drawing: Drawing; entries: Record<string, unknown> }[] = [];
  const annotations = new Map<PDFPage, PDFRef[]>();
  const links: { page: PDFPage; box: Box; to: string; says: string }[] = [];
  const places = new Map<string, { page: PDFPage; x: number; y: number }>();

  const book: Book = {
    document,
    faces,
    drawOn(page) {
      const drawing = drawings.get(page) ?? newDrawing(document, faces);
      drawings.set(page, drawing);
      return drawing;
    },
    appearance(width, height, matrix, draw) {
      const drawing = newDrawing(document, faces);
      draw(drawing);
      const ref = context.nextRef();
      const entries = { BBox: [0, 0, width, height], Matrix: [...matrix] };
      forms.push({ ref, drawing, entries });
      return ref;
    },
    annotate(page, annotation) {
      const own = annotations.get(page) ?? [];
      annotations.set(page, [...own, context.register(annotation)]);
    },
    place: (name, page, x, y) => void places.set(name, { page, x, y }),
    link: (page, box, to, says) => void links.push({ page, box, to, says }),
    destination(name) {
      const place = places.get(name);
      return place
        ? context.obj([place.page.ref, PDFName.of("XYZ"), place.x, place.y, null])
        : null;
    },
    finish() {
      for (const { page, box, to, says } of links) {
        const destination = book.destination(to);
        if (destination) book.annotate(page, linkAnnotation(document, box, destination, says));
      }
      for (const [page, drawing] of drawings) {
        page.node.set(
          PDFName.of("Contents"),
          context.register(context.flateStream(drawing.operators())),
        );
        page.node.set(PDFName.of("Resources"), drawing.resources(fontsRef));
      }
      for (const { ref, drawing, entries } of forms) {
        const resources = drawing.resources(fontsRef);
        const form = { Type: "XObject", Subtype: "Form", ...entries, Resources: resources };
        context.assign(ref, context.flateStream(drawing.operators(), form));
      }
      for (const [page, added] of annotations) {
        // The list may be one that other pages have as well.
        const before = page.node.Annots()?.asArray() ?? [];
        page.node.set(PDFName.of("Annots"), context.obj([...before, ...added]));
      }
      for (const { name, font } of faces.inUse()) fonts.set(PDFName.of(name), font.ref);
    },
  };
  return book;
}

function linkAnnotation(
  { context }: PDFDocument,
  box: Box,
  destination: PDFArray,
  says: string,
): PDFDict {
  return context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [...box],
    Border: [0, 0, 0],
    F: 4,
    Dest: destination,
    Contents: PDFHexString.fromText(says),
  });
}
