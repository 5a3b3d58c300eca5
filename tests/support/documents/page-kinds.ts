import { joinPdf, streamObject } from "./pdf.ts";

/** PDFs of one or two pages, with every way to inherit page entries and to overlay text. */
export type PageKind = {
  name: string;
  /** Entries of the root of the page tree, of the node below it, and of the pages. */
  root?: string;
  node?: string;
  page?: string;
  /** Operators before the page's text. */
  before?: string;
};

/** An annotation over a page, and its visible text. */
export type Overlay = {
  name: string;
  words: string;
  /** Entries of the annotation. */
  annotation: string;
  /** Entries of the appearance; null if the annotation has none. */
  appearance?: string | null;
  /** Entries of the catalog. */
  catalog?: string;
};

export const ownWords = ["Asha Verma", "designs services"];
export const overlayWords = "Comment by Meera";

const font = "/Font << /F1 7 0 R >>";
const resources = `/Resources << ${font} >>`;
const sides = "/MediaBox [0 0 400 300]";

export const pageKinds: PageKind[] = [
  { name: "everything on the page", page: `${resources} ${sides}` },
  { name: "resources inherited", root: resources, page: sides },
  { name: "everything inherited", root: `${resources} ${sides}` },
  { name: "everything inherited over two levels", root: sides, node: resources },
  {
    name: "resources that replace others on the way",
    root: "/Resources << /Font << /F2 7 0 R >> >>",
    node: `${resources} ${sides}`,
  },
  { name: "resources that pages share", page: `/Resources 9 0 R ${sides}` },
  { name: "resources of which the page has a part", page: `/Resources << /Font 8 0 R >> ${sides}` },
  {
    name: "an inherited paper away from the origin",
    root: `${resources} /MediaBox [-100 -50 300 250]`,
  },
  { name: "an inherited crop", root: `${resources} ${sides} /CropBox [10 20 390 280]` },
  {
    name: "an art box smaller than the page",
    root: resources,
    page: `${sides} /ArtBox [200 200 300 300]`,
  },
  ...[90, 180, 270, -90].map((turn) => ({
    name: `inherited turn by ${turn}`,
    root: `${resources} ${sides} /Rotate ${turn}`,
  })),
  { name: "large units", root: resources, page: `${sides} /UserUnit 2` },
  { name: "content that leaves the state saved", root: resources, page: sides, before: "q" },
  {
    name: "content that leaves the page scaled",
    root: resources,
    page: sides,
    before: "q 0.5 0 0 0.5 20 20 cm q",
  },
];

const corners = "[40 90 240 90 40 60 240 60]";
/** Annotation types with their required entries. */
const subtypes: Readonly<Record<string, string>> = {
  Text: "",
  FreeText: "/DA (/F1 12 Tf)",
  Line: "/L [40 60 240 90]",
  Square: "",
  Circle: "",
  Polygon: `/Vertices ${corners}`,
  PolyLine: `/Vertices ${corners}`,
  Highlight: `/QuadPoints ${corners}`,
  Underline: `/QuadPoints ${corners}`,
  Squiggly: `/QuadPoints ${corners}`,
  StrikeOut: `/QuadPoints ${corners}`,
  Stamp: "",
  Caret: "",
  Ink: `/InkList [${corners}]`,
  Redact: "",
  Watermark: "",
  Link: "",
};

const square = "/Subtype /Square";
const form = "/AcroForm << /Fields [5 0 R] /DR << /Font << /F1 7 0 R >> >> /DA (/F1 12 Tf 0 g) >>";
const field = `/Subtype /Widget /FT /Tx /T (note) /DA (/F1 12 Tf 0 g) /V (${overlayWords})`;

export const overlays: Overlay[] = [
  ...Object.entries(subtypes).map(([subtype, entries]) => ({
    name: `a ${subtype} with an appearance`,
    words: overlayWords,
    annotation: `/Subtype /${subtype} ${entries}`,
  })),
  { name: "a printed comment", words: overlayWords, annotation: `${square} /F 4` },
  {
    name: "a comment invisible to readers that do not know it",
    words: overlayWords,
    annotation: `${square} /F 1`,
  },
  { name: "a hidden comment", words: "", annotation: `${square} /F 2` },
  { name: "a comment for paper only", words: "", annotation: `${square} /F 36` },
  { name: "a comment without an appearance", words: "", annotation: square, appearance: null },
  { name: "the window of a comment", words: "", annotation: "/Subtype /Popup" },
  {
    name: "a comment whose appearance uses the page's resources",
    words: overlayWords,
    annotation: square,
    appearance: "",
  },
  {
    name: "a comment whose appearance is moved and turned",
    words: overlayWords,
    annotation: square,
    appearance: `${resources} /Matrix [0 1 -1 0 50 0]`,
  },
  { name: "a field with an appearance", words: overlayWords, annotation: field, catalog: form },
  {
    name: "a field that the reader draws",
    words: overlayWords,
    annotation: field,
    appearance: null,
    catalog: form.replace("/AcroForm <<", "/AcroForm << /NeedAppearances true"),
  },
];

/**
 * Builds a PDF of two pages with different texts.
 *
 * @param overlay annotation over the first page, if any
 */
export function pageOfKind(
  { root = "", node = "", page = "", before = "" }: PageKind,
  overlay: Overlay | null,
): Buffer {
  const content = (words: string[]) => {
    const lines = words.map((line) => `(${line}) Tj 0 -20 Td`).join(" ");
    return streamObject(Buffer.from(`${before} BT /F1 12 Tf 40 200 Td ${lines} ET`));
  };
  const annotated = overlay ? "/Annots [5 0 R]" : "";
  const appearance = overlay?.appearance === undefined ? resources : overlay.appearance;
  const annotation = appearance === null ? "" : "/AP << /N 6 0 R >>";
  return joinPdf([
    `<< /Type /Catalog /Pages 2 0 R ${overlay?.catalog ?? ""} >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 2 ${root} >>`,
    `<< /Type /Pages /Parent 2 0 R /Kids [4 0 R 10 0 R] /Count 2 ${node} >>`,
    `<< /Type /Page /Parent 3 0 R /Contents 11 0 R ${annotated} ${page} >>`,
    `<< /Type /Annot /Rect [40 60 240 90] /P 4 0 R ${annotation} ${overlay?.annotation ?? ""} >>`,
    streamObject(
      Buffer.from(`BT /F1 12 Tf 4 4 Td (${overlayWords}) Tj ET`),
      `/Type /XObject /Subtype /Form /BBox [0 0 200 30] ${appearance ?? ""}`,
    ),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /F1 7 0 R >>",
    "<< /Font 8 0 R >>",
    `<< /Type /Page /Parent 3 0 R /Contents 12 0 R ${page} >>`,
    content(ownWords),
    content(["Second page"]),
  ]);
}
