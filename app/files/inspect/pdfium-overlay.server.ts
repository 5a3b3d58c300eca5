import type { PageText } from "./page-text.ts";
import type { Opened, PageApi } from "./pdfium-api.server.ts";
import { noText, readText } from "./pdfium-text.server.ts";

/** Checks whether annotations or form fields may draw words over a page. */
export function isDrawnOver(api: PageApi, page: number): boolean {
  return hasAnnotation(api, page, (annotation) => hasVisibleText(api, annotation));
}

/**
 * Reads the words that annotations and form fields draw over a page, without the page's own words. PDFium reads
 * only the words of a page's content, so annotations are flattened into content in a separate document.
 * Flattening replaces inherited values of a page (resources, boxes) with empty ones; importing the page first
 * copies those values, which appearances without resources need.
 *
 * @param displayed the page as displayed, for the positions of words
 */
export function readOverlay(
  api: PageApi,
  { document, form }: Opened,
  index: number,
  displayed: number,
  maxCharacters: number,
): Omit<PageText, "links"> {
  const page = api._FPDF_LoadPage(document, index);
  if (page === 0) return noText;
  // This creates appearances that the file leaves to the reader.
  if (form !== null) api._FORM_OnAfterLoadPage(page, form);
  const single = importPage(api, document, index);
  if (form !== null) api._FORM_OnBeforeClosePage(page, form);
  api._FPDF_ClosePage(page);
  if (single === 0) return noText;
  const overlay = mergeAnnotations(api, single);
  const text = overlay === 0 ? noText : readText(api, overlay, displayed, maxCharacters);
  if (overlay !== 0) api._FPDF_ClosePage(overlay);
  api._FPDF_CloseDocument(single);
  return text;
}

/** Returns a new document with one page of another, or 0 on failure. */
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

/** FLAT_NORMALDISPLAY: as on a screen. */
const forScreen = 0;
/** FLATTEN_SUCCESS */
const flattened = 1;
/** FPDFPageObj_GetType: a form XObject. */
const formObject = 5;

/**
 * Replaces the content of a document's only page with its annotations.
 *
 * @returns the page, or 0 if no annotation draws anything
 */
function mergeAnnotations(api: PageApi, document: number): number {
  const page = api._FPDF_LoadPage(document, 0);
  if (page === 0) return 0;
  // Flattening would include annotations that are only printed, and skip those invisible only to old readers.
  hasAnnotation(api, page, (annotation) => {
    api._FPDFAnnot_SetFlags(annotation, hasVisibleText(api, annotation) ? 0 : hidden);
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

/** Resets the position, which earlier content may change by saving the graphics state without restoring it. */
function resetMatrix(api: PageApi, object: number): void {
  const matrix = api.wasmExports.malloc(24);
  api.HEAPF32.set([1, 0, 0, 1, 0, 0], matrix / 4);
  api._FPDFPageObj_SetMatrix(object, matrix);
  api.wasmExports.free(matrix);
}

/** FPDFAnnot_GetSubtype: a form field, which PDFium draws even without an appearance in the file. */
const widget = 20;
/** FPDFAnnot_GetSubtype: the window of a note, which PDFium draws only while open. */
const popup = 16;
/** FPDFAnnot_GetFlags: Hidden and NoView, which keep an annotation off the screen. */
const hidden = 1 << 1;
const offScreen = hidden | (1 << 5);

/** Checks whether an annotation is shown on screen and may have words. */
function hasVisibleText(api: PageApi, annotation: number): boolean {
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

/** Checks whether `matches` returns true for any annotation of a page. */
function hasAnnotation(api: PageApi, page: number, matches: (annotation: number) => boolean) {
  const count = api._FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = api._FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const isMatch = matches(annotation);
    api._FPDFPage_CloseAnnot(annotation);
    if (isMatch) return true;
  }
  return false;
}
