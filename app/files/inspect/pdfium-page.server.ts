/** A page of a PDF as it is shown: turned and cropped as the document says. */
export type PdfPage = {
  /** In points (1/72 inch), or in units of the page's own (UserUnit), of which the engine does not know. */
  width: number;
  height: number;
  /** To be read before a picture is made: the engine may fail afterwards. */
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

/** The words of a page in the order in which programs read them. */
export type PageText = {
  text: string;
  /** For each word that is on the page, where it begins in the text, how long it is, and its box. */
  words: WordBox[];
};

/** Start and length in the text; then left, top, width and height as fractions of the page. */
export type WordBox = [number, number, number, number, number, number];

/** The functions of PDFium that a page needs. */
export type PageApi = {
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
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

/** Opens a page of an open document, with its form if it has one; null for one that cannot be read. */
export function openPage(
  api: PageApi,
  document: number,
  form: number | null,
  index: number,
): PdfPage | null {
  const page = api._FPDF_LoadPage(document, index);
  if (page === 0) return null;
  return {
    width: api._FPDF_GetPageWidthF(page),
    height: api._FPDF_GetPageHeightF(page),
    text: () => readText(api, page),
    picture: (size, strip) => render(api, page, form, size, strip),
    close: () => api._FPDF_ClosePage(page),
  };
}

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
  if (bitmap === 0) throw new WebAssembly.RuntimeError("There is no memory for a picture.");
  api._FPDFBitmap_FillRect(bitmap, 0, 0, width, strip.height, white);
  const how = withAnnotations | redFirst;
  api._FPDF_RenderPageBitmap(bitmap, page, 0, -strip.top, width, height, 0, how);
  if (form !== null) api._FPDF_FFLDraw(form, bitmap, page, 0, -strip.top, width, height, 0, how);
  const address = api._FPDFBitmap_GetBuffer(bitmap);
  const pixels = Buffer.from(api.HEAPU8.slice(address, address + width * strip.height * 4).buffer);
  api._FPDFBitmap_Destroy(bitmap);
  return pixels;
}

/** A page that has more is made to keep the reader busy; a page of a book has 3,000. */
const mostCharacters = 20_000;

function readText(api: PageApi, page: number): PageText {
  const handle = api._FPDFText_LoadPage(page);
  if (handle === 0) return { text: "", words: [] };
  const boxes = boxReader(api, page, handle);
  const words: WordBox[] = [];
  let text = "";
  let word: { start: number; box: Box | null } | null = null;
  const endWord = () => {
    if (word?.box) words.push([word.start, text.length - word.start, ...placed(word.box)]);
    word = null;
  };
  const count = Math.min(api._FPDFText_CountChars(handle), mostCharacters);
  for (let index = 0; index < count; index++) {
    const character = legible(api._FPDFText_GetUnicode(handle, index));
    if (character.trim() === "") endWord();
    else {
      word ??= { start: text.length, box: null };
      word.box = around(word.box, boxes(index));
    }
    text += character;
  }
  endWord();
  api._FPDFText_ClosePage(handle);
  return { text, words };
}

/** The engine's mark for a hyphen at the end of a line. */
const lineHyphen = 0x02;

/** What a database and a browser can hold of a character; the unknown one for any other. */
function legible(code: number): string {
  if (code === lineHyphen) return "-";
  if (code === 0x0d) return "";
  const isText = code === 0x0a || code === 0x09 || (code >= 0x20 && code <= 0x10_ff_ff);
  return isText ? String.fromCodePoint(code).toWellFormed() : "\ufffd";
}

/** Edges as fractions of the page as it is shown, from its top left corner. */
type Box = { left: number; top: number; right: number; bottom: number };

/** The engine tells places on a page that is shown at a size; in parts of this they are fine enough. */
const parts = 1_000_000;

/**
 * Reads the box of a character: as high as its line, and as wide as its ink at least, since signs of Indic scripts
 * that are drawn as one have no right width of their own; null for one outside of the page.
 */
function boxReader(api: PageApi, page: number, text: number): (index: number) => Box | null {
  // Four numbers of eight bytes: the edges on the page, or of four bytes: those again, or two of a point.
  const room = api.wasmExports.malloc(32);
  const point = (x: number, y: number) => {
    api._FPDF_PageToDevice(page, 0, 0, parts, parts, 0, x, y, room, room + 4);
    return [api.HEAP32[room / 4]! / parts, api.HEAP32[room / 4 + 1]! / parts] as const;
  };
  const shown = (left: number, top: number, right: number, bottom: number) => {
    const [x1, y1] = point(left, top);
    const [x2, y2] = point(right, bottom);
    const box = {
      left: Math.max(0, Math.min(x1, x2)),
      top: Math.max(0, Math.min(y1, y2)),
      right: Math.min(1, Math.max(x1, x2)),
      bottom: Math.min(1, Math.max(y1, y2)),
    };
    return box.left < box.right && box.top < box.bottom ? box : null;
  };
  return (index) => {
    if (!api._FPDFText_GetLooseCharBox(text, index, room)) return null;
    const [x1, y1, x2, y2] = api.HEAPF32.slice(room / 4, room / 4 + 4);
    api._FPDFText_GetCharBox(text, index, room, room + 8, room + 16, room + 24);
    const [left, right, bottom, top] = api.HEAPF64.slice(room / 8, room / 8 + 4);
    return around(shown(x1!, y1!, x2!, y2!), shown(left!, top!, right!, bottom!));
  };
}

function around(one: Box | null, other: Box | null): Box | null {
  if (!one || !other) return one ?? other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

function placed({ left, top, right, bottom }: Box): [number, number, number, number] {
  return [left, top, right - left, bottom - top].map(
    (share) => Math.round(share * 10_000) / 10_000,
  ) as [number, number, number, number];
}
