import { PDFArray, PDFName, PDFNumber, type PDFPage } from "@cantoo/pdf-lib";
import type { PageFrame } from "./page-places.ts";

/** What a page says of how it is shown, itself or by the part of the document that it stands in. */
export function frameOf({ node }: PDFPage): PageFrame {
  const inherited = (name: string) =>
    node.context.lookup(node.getInheritableAttribute(PDFName.of(name)));
  const corners = (name: string) => {
    const box = inherited(name);
    if (!(box instanceof PDFArray)) return null;
    return Array.from({ length: box.size() }, (_, index) => {
      const value = box.lookup(index);
      return value instanceof PDFNumber ? value.asNumber() : Number.NaN;
    });
  };
  const number = (value: unknown, otherwise: number) =>
    value instanceof PDFNumber ? value.asNumber() : otherwise;
  return {
    mediaBox: corners("MediaBox"),
    cropBox: corners("CropBox"),
    rotate: number(inherited("Rotate"), 0),
    userUnit: number(node.lookup(PDFName.of("UserUnit")), 1),
  };
}
