import type { PageFont, PageLink, PageText, WordBox } from "./page-text.ts";
import type { Opened, PageApi } from "./pdfium-api.server.ts";
import { isDrawnOver, readOverlay } from "./pdfium-overlay.server.ts";
import {
  readBox,
  maxCharacters,
  toBoxSides,
  readString,
  readText,
  roomForBox,
} from "./pdfium-text.server.ts";

/** A page of a PDF as displayed, turned and cropped. */
export type PdfPage = {
  /** In points (1/72 inch), or in the page's own unit (UserUnit), which the engine ignores. */
  width: number;
  height: number;
  /**
   * Reads the text of the page, then the text drawn over it (form fields, notes, stamps). Call it before
   * rendering a picture: the engine may fail afterwards.
   */
  text(): PageText;
  /**
   * Renders a strip over the full width of the page's picture.
   *
   * @param size the size of the complete picture in pixels
   * @returns its pixels, four bytes each: red, green, blue and unused.
   */
  picture(size: { width: number; height: number }, strip: { top: number; height: number }): Buffer;
  close(): void;
};

/**
 * Opens a page of an open document.
 *
 * @param copy returns a copy of the document whose pages may be changed
 * @returns null for a page that can't be read
 */
export function openPage(
  api: PageApi,
  { document, form }: Opened,
  copy: () => Opened,
  index: number,
): PdfPage | null {
  const page = api._FPDF_LoadPage(document, index);
  if (page === 0) return null;
  return {
    width: api._FPDF_GetPageWidthF(page),
    height: api._FPDF_GetPageHeightF(page),
    text: () => ({
      ...readWords(api, copy, index, page),
      links: readLinks(api, document, page),
    }),
    picture: (size, strip) => render(api, page, form, size, strip),
    close: () => api._FPDF_ClosePage(page),
  };
}

/** Reads the words of a page, then those drawn over it on a new line. */
function readWords(api: PageApi, copy: () => Opened, index: number, page: number) {
  const own = readText(api, page);
  const left = maxCharacters - own.text.length;
  if (left <= 0 || !isDrawnOver(api, page)) return own;
  const over = readOverlay(api, copy(), index, page, left);
  if (over.text === "") return own;
  const before = own.text === "" ? "" : `${own.text.replace(/\n$/, "")}\n`;
  const fonts = [...own.fonts, ...over.fonts];
  const isFirst = ({ name, isEmbedded }: PageFont, at: number) =>
    fonts.findIndex((font) => font.name === name && font.isEmbedded === isEmbedded) === at;
  return {
    text: before + over.text,
    words: [
      ...own.words,
      ...over.words.map(([start, ...rest]): WordBox => [start + before.length, ...rest]),
    ],
    fonts: fonts.filter(isFirst),
  };
}

/** The engine has no memory for a picture. */
export class NoPictureMemory extends WebAssembly.RuntimeError {}

/** White paper without alpha. */
const white = 0xff_ff_ff_ff;
/** FPDF_ANNOT: with annotations such as notes and stamps. */
const withAnnotations = 0x01;
/** FPDF_REVERSE_BYTE_ORDER */
const redFirst = 0x10;

function render(
  api: PageApi,
  page: number,
  form: number | null,
  { width, height }: { width: number; height: number },
  strip: { top: number; height: number },
): Buffer {
  const bitmap = api._FPDFBitmap_Create(width, strip.height, 0);
  if (bitmap === 0) throw new NoPictureMemory("Not enough memory for a picture.");
  api._FPDFBitmap_FillRect(bitmap, 0, 0, width, strip.height, white);
  const how = withAnnotations | redFirst;
  api._FPDF_RenderPageBitmap(bitmap, page, 0, -strip.top, width, height, 0, how);
  if (form !== null) api._FPDF_FFLDraw(form, bitmap, page, 0, -strip.top, width, height, 0, how);
  const address = api._FPDFBitmap_GetBuffer(bitmap);
  const pixels = Buffer.from(api.HEAPU8.slice(address, address + width * strip.height * 4).buffer);
  api._FPDFBitmap_Destroy(bitmap);
  return pixels;
}

/** A result of FPDFAction_GetType: an address outside the document. */
const leadsElsewhere = 3;
const maxLinks = 200;
/** In bytes. Longer addresses are left out. */
const maxAddressBytes = 2_000;

function readLinks(api: PageApi, document: number, page: number): PageLink[] {
  const { malloc, free } = api.wasmExports;
  const room = malloc(roomForBox);
  const cursor = malloc(8);
  api.HEAP32[cursor / 4] = 0;
  const links: PageLink[] = [];
  while (links.length < maxLinks && api._FPDFLink_Enumerate(page, cursor, cursor + 4)) {
    const link = api.HEAP32[cursor / 4 + 1]!;
    const action = api._FPDFLink_GetAction(link);
    if (!action || api._FPDFAction_GetType(action) !== leadsElsewhere) continue;
    const address = readString(api, maxAddressBytes, (at, size) =>
      api._FPDFAction_GetURIPath(document, action, at, size),
    );
    const box = api._FPDFLink_GetAnnotRect(link, room) ? readBox(api, page, room) : null;
    if (address && box) links.push({ address, box: toBoxSides(box) });
  }
  free(cursor);
  free(room);
  return links;
}
