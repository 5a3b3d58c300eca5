import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PDFiumModule } from "@hyzyla/pdfium";

/** An annotation as read by PDFium, which does not write annotations here. */
export type ReadAnnotation = {
  kind: "link" | "square" | "stamp" | "widget" | "other";
  /** Left, top, right and bottom in fractions of the visible page. */
  place: [number, number, number, number];
  contents: string;
  author: string;
  hasAppearance: boolean;
  /** The index of the page that a link leads to; -1 if it leads nowhere. */
  leadsTo: number | null;
};

const kinds: Record<number, ReadAnnotation["kind"]> = {
  2: "link",
  5: "square",
  13: "stamp",
  20: "widget",
};

type Api = Record<`_FPDF${string}`, (...values: number[]) => number> & {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  wasmExports: { malloc(size: number): number };
};

/** Positions are measured in millionths of a page's side. */
const parts = 1_000_000;

/** Reads the text and the annotations of each page, in drawing order. */
export async function readAnnotations(
  bytes: Uint8Array,
): Promise<{ text: string; annotations: ReadAnnotation[] }[]> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve("@hyzyla/pdfium/pdfium.wasm")));
  const api = (await PDFiumModule({ wasmBinary: wasm } as never)) as unknown as Api;
  api._FPDF_InitLibrary!();
  const { malloc } = api.wasmExports;
  const address = malloc(bytes.length);
  api.HEAPU8.set(bytes, address);
  const document = api._FPDF_LoadMemDocument64!(address, bytes.length, 0);
  if (document === 0) throw new Error("PDFium cannot open this file.");
  const room = malloc(16);
  const long = malloc(20_000);
  const cString = (text: string) => {
    const at = malloc(text.length + 1);
    api.HEAPU8.set(Buffer.from(`${text}\0`), at);
    return at;
  };
  const decoded = (length: number) =>
    Buffer.from(api.HEAPU8.slice(long, long + Math.max(0, length - 2))).toString("utf16le");
  const value = (annotation: number, key: string) =>
    decoded(api._FPDFAnnot_GetStringValue!(annotation, cString(key), long, 20_000));
  const pages = Array.from({ length: api._FPDF_GetPageCount!(document) }, (_, index) => {
    const page = api._FPDF_LoadPage!(document, index);
    const onPage = (x: number, y: number): [number, number] => {
      api._FPDF_PageToDevice!(page, 0, 0, parts, parts, 0, x, y, room, room + 4);
      return [api.HEAP32[room / 4]! / parts, api.HEAP32[room / 4 + 1]! / parts];
    };
    const text = api._FPDFText_LoadPage!(page);
    const characters = Array.from({ length: api._FPDFText_CountChars!(text) }, (_each, at) =>
      String.fromCodePoint(api._FPDFText_GetUnicode!(text, at)),
    ).join("");
    const annotations = Array.from(
      { length: api._FPDFPage_GetAnnotCount!(page) },
      (_each, at): ReadAnnotation => {
        const annotation = api._FPDFPage_GetAnnot!(page, at);
        api._FPDFAnnot_GetRect!(annotation, room);
        const [left, top, right, bottom] = api.HEAPF32.slice(room / 4, room / 4 + 4);
        const [x1, y1] = onPage(left!, top!);
        const [x2, y2] = onPage(right!, bottom!);
        const kind = kinds[api._FPDFAnnot_GetSubtype!(annotation)] ?? "other";
        const link = kind === "link" ? api._FPDFAnnot_GetLink!(annotation) : 0;
        const destination = link && api._FPDFLink_GetDest!(document, link);
        return {
          kind,
          place: [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)],
          contents: value(annotation, "Contents"),
          author: value(annotation, "T"),
          hasAppearance: api._FPDFAnnot_GetAP!(annotation, 0, 0, 0) > 2,
          leadsTo: destination
            ? api._FPDFDest_GetDestPageIndex!(document, destination)
            : link
              ? -1
              : null,
        };
      },
    );
    return { text: characters, annotations };
  });
  api._FPDF_CloseDocument!(document);
  return pages;
}
