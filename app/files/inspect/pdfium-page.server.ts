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

export const noText: PageText = { text: "", words: [], links: [], fonts: [] };

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

/** FPDFAnnot_GetSubtype: a field of a form, which PDFium draws even if the file holds no appearance for it. */
const widget = 20;
/** FPDFAnnot_GetSubtype: the window of a note, which PDFium draws only when it is opened. */
const popup = 16;
/** FPDFAnnot_GetFlags: Hidden and NoView, which keep an annotation off the screen. */
const hidden = 1 << 1;
const offScreen = hidden | (1 << 5);

/** Whether the screen shows an annotation that may have words. */
function showsWords(api: PageApi, annotation: number): boolean {
  const subtype = api._FPDFAnnot_GetSubtype(annotation);
  if (subtype === popup || api._FPDFAnnot_GetFlags(annotation) & offScreen) return false;
  return subtype === widget || hasKey(api, annotation, "AP");
}

function hasKey(api: PageApi, annotation: number, key: string): boolean {
  const address = api.wasmExports.malloc(key.length + 1);
  api.HEAPU8.set(Buffer.from(`${key}\0`, "latin1"), address);
  const has = api._FPDFAnnot_HasKey(annotation, address);
  api.wasmExports.free(address);
  return has === 1;
}

/** Calls a function with each annotation of a page until it returns true; returns whether it did. */
function someAnnotation(
  api: PageApi,
  page: number,
  matches: (annotation: number) => boolean,
): boolean {
  const count = api._FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = api._FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const found = matches(annotation);
    api._FPDFPage_CloseAnnot(annotation);
    if (found) return true;
  }
  return false;
}

/** FLAT_NORMALDISPLAY: as it looks on a screen. */
const forScreen = 0;
/** FLATTEN_SUCCESS */
const flattened = 1;
/** FPDFPageObj_GetType: a form XObject. */
const formObject = 5;

/**
 * Reads the words that annotations and form fields draw over a page, and nothing of the page itself. PDFium reads
 * the words of a page's own content only, so annotations are made content in a document of their own.
 *
 * Flattening replaces what a page inherits (resources, boxes) with empty values of its own. Importing the page first
 * gives it copies of those values, which appearances without resources need.
 *
 * @param shown the page as it is shown, which says where a word is on it
 */
function readOverlay(
  api: PageApi,
  { document, form }: Opened,
  index: number,
  shown: number,
  most: number,
): Omit<PageText, "links"> {
  const page = api._FPDF_LoadPage(document, index);
  if (page === 0) return noText;
  // This writes the appearances that the file leaves to the reader.
  if (form !== null) api._FORM_OnAfterLoadPage(page, form);
  const single = importPage(api, document, index);
  if (form !== null) api._FORM_OnBeforeClosePage(page, form);
  api._FPDF_ClosePage(page);
  if (single === 0) return noText;
  const overlay = flattenAnnotations(api, single);
  const text = overlay === 0 ? noText : readText(api, overlay, shown, most);
  if (overlay !== 0) api._FPDF_ClosePage(overlay);
  api._FPDF_CloseDocument(single);
  return text;
}

/** Returns a new document with one page of another; 0 if there is none. */
function importPage(api: PageApi, document: number, index: number): number {
  const single = api._FPDF_CreateNewDocument();
  if (single === 0) return 0;
  const indices = api.wasmExports.malloc(4);
  api.HEAP32[indices / 4] = index;
  const isImported = api._FPDF_ImportPagesByIndex(single, document, indices, 1, 0);
  api.wasmExports.free(indices);
  if (isImported) return single;
  api._FPDF_CloseDocument(single);
  return 0;
}

/**
 * Makes the annotations of a document's only page its content.
 *
 * @returns the page without the content that it had; 0 if no annotation draws anything
 */
function flattenAnnotations(api: PageApi, document: number): number {
  const page = api._FPDF_LoadPage(document, 0);
  if (page === 0) return 0;
  // Flattening would read what is only printed, and skip what is only invisible to old readers.
  someAnnotation(api, page, (annotation) => {
    api._FPDFAnnot_SetFlags(annotation, showsWords(api, annotation) ? 0 : hidden);
    return false;
  });
  const result = api._FPDFPage_Flatten(page, forScreen);
  api._FPDF_ClosePage(page);
  if (result !== flattened) return 0;
  const flat = api._FPDF_LoadPage(document, 0);
  if (flat === 0) return 0;
  removeOwnContent(api, flat);
  return flat;
}

/** Flattening puts all annotations into one form XObject behind the page's own content. */
function removeOwnContent(api: PageApi, page: number): void {
  for (let count = api._FPDFPage_CountObjects(page); count > 0; count--) {
    const object = api._FPDFPage_GetObject(page, 0);
    if (count === 1 && api._FPDFPageObj_GetType(object) === formObject) {
      resetMatrix(api, object);
      return;
    }
    api._FPDFPage_RemoveObject(page, object);
    api._FPDFPageObj_Destroy(object);
  }
}

/** Content before it that saves the graphics state without restoring it would move it. */
function resetMatrix(api: PageApi, object: number): void {
  const matrix = api.wasmExports.malloc(24);
  api.HEAPF32.set([1, 0, 0, 1, 0, 0], matrix / 4);
  api._FPDFPageObj_SetMatrix(object, matrix);
  api.wasmExports.free(matrix);
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
  if (left <= 0 || !someAnnotation(api, page, (one) => showsWords(api, one))) return own;
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

/** A page that has more is made to keep the reader busy; a page of a book has 3,000. */
const mostCharacters = 20_000;

/**
 * Reads the words of a page's content.
 *
 * @param shown the page as it is shown, if that is another one
 */
function readText(
  api: PageApi,
  page: number,
  shown: number = page,
  most: number = mostCharacters,
): Omit<PageText, "links"> {
  const handle = api._FPDFText_LoadPage(page);
  if (handle === 0) return noText;
  const room = api.wasmExports.malloc(roomForBox);
  const fonts = new Map<number, PageFont>();
  const words: WordBox[] = [];
  let text = "";
  let word: { start: number; box: Box | null } | null = null;
  const endWord = () => {
    if (word?.box) words.push([word.start, text.length - word.start, ...placed(word.box)]);
    word = null;
  };
  const count = api._FPDFText_CountChars(handle);
  for (let index = 0; index < Math.min(count, most); index++) {
    const { code, units } = readCodePoint(api, handle, index, count);
    const character = legible(code);
    if (character.trim() === "") endWord();
    else {
      word ??= { start: text.length, box: null };
      for (let unit = index; unit < index + units; unit++)
        word.box = around(word.box, characterBox(api, shown, handle, unit, room));
      noteFont(api, fonts, api._FPDFText_GetTextObject(handle, index));
    }
    text += character;
    index += units - 1;
  }
  endWord();
  api.wasmExports.free(room);
  api._FPDFText_ClosePage(handle);
  return { text, words, fonts: [...fonts.values()] };
}

/** PDFium counts in UTF-16 code units: a character beyond U+FFFF takes two of its indices. */
function readCodePoint(
  api: PageApi,
  text: number,
  index: number,
  count: number,
): { code: number; units: 1 | 2 } {
  const first = api._FPDFText_GetUnicode(text, index);
  if (first >= 0xd8_00 && first <= 0xdb_ff && index + 1 < count) {
    const second = api._FPDFText_GetUnicode(text, index + 1);
    if (second >= 0xdc_00 && second <= 0xdf_ff)
      return { code: String.fromCharCode(first, second).codePointAt(0)!, units: 2 };
  }
  return { code: first, units: 1 };
}

/** In bytes; a name that is longer is cut off. */
const longestFontName = 200;

function noteFont(api: PageApi, fonts: Map<number, PageFont>, object: number): void {
  const font = object && api._FPDFTextObj_GetFont(object);
  if (!font || fonts.has(font)) return;
  const name = readString(api, longestFontName, (address, size) =>
    api._FPDFFont_GetBaseFontName(font, address, size),
  );
  fonts.set(font, { name, isEmbedded: api._FPDFFont_GetIsEmbedded(font) === 1 });
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

/**
 * Has the engine write a string of bytes.
 *
 * @param write is told where, and how much room is there; tells how much it needs, with the zero at the end
 * @returns "" for what does not fit
 */
function readString(
  api: PageApi,
  size: number,
  write: (address: number, size: number) => number,
): string {
  const address = api.wasmExports.malloc(size);
  const length = write(address, size);
  const bytes = Buffer.from(api.HEAPU8.slice(address, address + Math.max(0, length - 1)));
  api.wasmExports.free(address);
  // Neither a database nor a browser takes what only steers.
  return length > 0 && length <= size ? bytes.toString("utf8").replaceAll(/\p{Cc}/gu, "") : "";
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

/** In bytes: four numbers of eight. */
const roomForBox = 32;

/** A box that the engine has written, as it lies on the page as shown; null for one outside of it. */
function boxAt(api: PageApi, page: number, room: number): Box | null {
  const [left, top, right, bottom] = api.HEAPF32.slice(room / 4, room / 4 + 4);
  return shownBox(api, page, room, { left: left!, top: top!, right: right!, bottom: bottom! });
}

/**
 * The box of a character: as high as its line, and as wide as its ink at least, since signs of Indic scripts
 * that are drawn as one have no right width of their own; null for one outside of the page.
 */
function characterBox(
  api: PageApi,
  page: number,
  text: number,
  index: number,
  room: number,
): Box | null {
  if (!api._FPDFText_GetLooseCharBox(text, index, room)) return null;
  const line = boxAt(api, page, room);
  api._FPDFText_GetCharBox(text, index, room, room + 8, room + 16, room + 24);
  const [left, right, bottom, top] = api.HEAPF64.slice(room / 8, room / 8 + 4);
  const ink = { left: left!, top: top!, right: right!, bottom: bottom! };
  return around(line, shownBox(api, page, room, ink));
}

/** From points of the document to fractions of the page; the room is used for corners. */
function shownBox(api: PageApi, page: number, room: number, edges: Box): Box | null {
  const point = (x: number, y: number) => {
    api._FPDF_PageToDevice(page, 0, 0, parts, parts, 0, x, y, room, room + 4);
    return [api.HEAP32[room / 4]! / parts, api.HEAP32[room / 4 + 1]! / parts] as const;
  };
  const [x1, y1] = point(edges.left, edges.top);
  const [x2, y2] = point(edges.right, edges.bottom);
  const box = {
    left: Math.max(0, Math.min(x1, x2)),
    top: Math.max(0, Math.min(y1, y2)),
    right: Math.min(1, Math.max(x1, x2)),
    bottom: Math.min(1, Math.max(y1, y2)),
  };
  return box.left < box.right && box.top < box.bottom ? box : null;
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

function placed({ left, top, right, bottom }: Box): BoxSides {
  return [left, top, right - left, bottom - top].map(
    (share) => Math.round(share * 10_000) / 10_000,
  ) as BoxSides;
}
