import { isDrawnOver, readOverlay } from "./pdfium-overlay.server.ts";
import {
  boxAt,
  mostCharacters,
  placed,
  readString,
  readText,
  roomForBox,
} from "./pdfium-text.server.ts";

/** A page of a PDF as it is shown: turned and cropped as the document says. */
export type PdfPage = {
  /** In points (1/72 inch), or in units of the page's own (UserUnit), of which the engine does not know. */
  width: number;
  height: number;
  /**
   * What is drawn over the page (what stands in the fields of its form, notes, stamps) comes after its own words.
   * To be read before a picture is made: the engine may fail afterwards.
   */
  text(): PageText;
  /**
   * A strip over the whole width of the page's picture.
   *
   * @param size of the whole picture, in pixels
   * @returns its pixels, four bytes each: red, green, blue and nothing.
   */
  picture(size: { width: number; height: number }, strip: { top: number; height: number }): Buffer;
  close(): void;
};

/** The words of a page in the order in which programs read them, and what else they find there. */
export type PageText = {
  text: string;
  /** For each word that is on the page, where it begins in the text, how long it is, and its box. */
  words: WordBox[];
  /** Links that lead out of the document. */
  links: PageLink[];
  /** The typefaces of its letters, each once. */
  fonts: PageFont[];
};

/** Left, top, width and height as fractions of the page. */
export type BoxSides = [number, number, number, number];
/** Start and length in the text; then the word's box. */
export type WordBox = [number, number, ...BoxSides];
export type PageLink = { address: string; box: BoxSides };
/** One that is not embedded looks otherwise wherever it is not installed. */
export type PageFont = { name: string; isEmbedded: boolean };

/** A document that the engine holds, and what the fields of its form are drawn by, if it has one. */
export type Opened = { document: number; form: number | null };

/** The functions of PDFium that a page needs. */
export type PageApi = {
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetFlags(annotation: number): number;
  _FPDFAnnot_SetFlags(annotation: number, flags: number): number;
  _FPDFAnnot_HasKey(annotation: number, key: number): number;
  _FPDF_CreateNewDocument(): number;
  /** Copies pages, and sets on each copy what the page inherits. */
  _FPDF_ImportPagesByIndex(
    to: number,
    from: number,
    indices: number,
    count: number,
    at: number,
  ): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPage_RemoveObject(page: number, object: number): number;
  _FPDFPageObj_Destroy(object: number): void;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_SetMatrix(object: number, matrix: number): number;
  /** Makes what is drawn over a page its own content, once the page is opened again. */
  _FPDFPage_Flatten(page: number, how: number): number;
  /** Draws the fields that the document leaves to its reader. */
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDF_PageToDevice(
    page: number,
    ...place: [
      left: number,
      top: number,
      width: number,
      height: number,
      turn: number,
      x: number,
      y: number,
      toX: number,
      toY: number,
    ]
  ): number;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    ...place: [left: number, top: number, width: number, height: number, turn: number, how: number]
  ): void;
  /** Draws the fields of a form over its page. */
  _FPDF_FFLDraw(
    form: number,
    bitmap: number,
    page: number,
    ...place: [left: number, top: number, width: number, height: number, turn: number, how: number]
  ): void;
  _FPDFBitmap_Create(width: number, height: number, alpha: number): number;
  _FPDFBitmap_FillRect(
    bitmap: number,
    ...rectangle: [left: number, top: number, width: number, height: number, colour: number]
  ): number;
  _FPDFBitmap_GetBuffer(bitmap: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rectangle: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFFont_GetBaseFontName(font: number, name: number, size: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFLink_Enumerate(page: number, position: number, link: number): number;
  _FPDFLink_GetAnnotRect(link: number, rectangle: number): number;
  _FPDFLink_GetAction(link: number): number;
  _FPDFAction_GetType(action: number): number;
  _FPDFAction_GetURIPath(document: number, action: number, address: number, size: number): number;
  _FPDFText_GetCharBox(
    text: number,
    index: number,
    ...edges: [left: number, right: number, bottom: number, top: number]
  ): number;
  wasmExports: {
    malloc(size: number): number;
    free(address: number): void;
  };
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
};

/**
 * Opens a page of an open document.
 *
 * @param copy of the same document; its pages may be changed
 * @returns null for a page that cannot be read
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

/** Reads the words of a page, then those drawn over it, each group in a line of its own. */
function readWords(
  api: PageApi,
  copy: () => Opened,
  index: number,
  page: number,
): Omit<PageText, "links"> {
  const own = readText(api, page);
  const left = mostCharacters - own.text.length;
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

/** The engine did not find memory for a picture. */
export class NoPictureMemory extends WebAssembly.RuntimeError {}

/** Of white paper, without alpha. */
const white = 0xff_ff_ff_ff;
/** FPDF_ANNOT: with notes, stamps and the like. */
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
  if (bitmap === 0) throw new NoPictureMemory("There is no memory for a picture.");
  api._FPDFBitmap_FillRect(bitmap, 0, 0, width, strip.height, white);
  const how = withAnnotations | redFirst;
  api._FPDF_RenderPageBitmap(bitmap, page, 0, -strip.top, width, height, 0, how);
  if (form !== null) api._FPDF_FFLDraw(form, bitmap, page, 0, -strip.top, width, height, 0, how);
  const address = api._FPDFBitmap_GetBuffer(bitmap);
  const pixels = Buffer.from(api.HEAPU8.slice(address, address + width * strip.height * 4).buffer);
  api._FPDFBitmap_Destroy(bitmap);
  return pixels;
}

/** Of FPDFAction_GetType: an address elsewhere. */
const leadsElsewhere = 3;
const mostLinks = 200;
/** In bytes; one that is longer is left out. */
const longestAddress = 2_000;

function readLinks(api: PageApi, document: number, page: number): PageLink[] {
  const { malloc, free } = api.wasmExports;
  const room = malloc(roomForBox);
  const cursor = malloc(8);
  api.HEAP32[cursor / 4] = 0;
  const links: PageLink[] = [];
  while (links.length < mostLinks && api._FPDFLink_Enumerate(page, cursor, cursor + 4)) {
    const link = api.HEAP32[cursor / 4 + 1]!;
    const action = api._FPDFLink_GetAction(link);
    if (!action || api._FPDFAction_GetType(action) !== leadsElsewhere) continue;
    const address = readString(api, longestAddress, (at, size) =>
      api._FPDFAction_GetURIPath(document, action, at, size),
    );
    const box = api._FPDFLink_GetAnnotRect(link, room) ? boxAt(api, page, room) : null;
    if (address && box) links.push({ address, box: placed(box) });
  }
  free(cursor);
  free(room);
  return links;
}
