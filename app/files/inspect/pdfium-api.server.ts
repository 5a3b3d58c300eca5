/** An open document, and the form that draws its fields, if it has one. */
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
  /** Copies pages together with their inherited values. */
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
  /** Merges annotations into a page's content, effective once the page is opened again. */
  _FPDFPage_Flatten(page: number, how: number): number;
  /** Creates appearances for fields without one. */
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
