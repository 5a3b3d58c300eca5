import { expect, test } from "vitest";
import {
  overlays,
  ownWords,
  pageKinds,
  pageOfKind,
} from "../../../tests/support/documents/page-kinds.ts";
import { makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import type { PageText } from "./page-text.ts";
import { openPdfium } from "./pdfium.server.ts";

/** Reads the text of all pages of a document. */
async function readPages(bytes: Buffer): Promise<PageText[]> {
  const document = (await openPdfium()).open(bytes);
  if (typeof document === "string") throw new Error(document);
  const texts = Array.from({ length: document.pageCount }, (_, index) => {
    const page = document.openPage(index)!;
    const text = page.text();
    page.close();
    return text;
  });
  document.close();
  return texts;
}

const lines = ({ text }: PageText) => text.split("\n").map((line) => line.trim());
const wordsOf = ({ text, words }: PageText) =>
  words.map(([start, length]) => text.slice(start, start + length));

test.each(pageKinds)("the own words of a page with $name are read in order", async (kind) => {
  const [plain, second] = await readPages(pageOfKind(kind, null));
  const own = lines(plain!).filter(Boolean);
  // PDFium reads the columns of a turned page from the left.
  expect(own.toSorted()).toEqual(ownWords);
  for (const overlay of overlays) {
    const [page, next] = await readPages(pageOfKind(kind, overlay));
    const before = plain!.words.length;
    expect(page!.words.slice(0, before), overlay.name).toEqual(plain!.words);
    const all = [...own, overlay.words].filter(Boolean);
    expect(lines(page!).filter(Boolean), overlay.name).toEqual(all);
    expect(wordsOf(page!), overlay.name).toEqual(all.join(" ").split(" "));
    expect(next, overlay.name).toEqual(second);
  }
});

test.each([
  ["a field that draws nothing", "/Subtype /Widget /FT /Tx /T (a)"],
  ["a comment whose appearance is empty", "/Subtype /Square /AP << /N 8 0 R >>"],
  ["a comment whose appearance is not there", "/Subtype /Square /AP << /N 99 0 R >>"],
])("a page that is one form XObject is read once below %s", async (_what, annotation) => {
  const bytes = makePdf({
    content: "/X Do",
    page: "/Resources << /XObject << /X 6 0 R >> >> /Annots [7 0 R]",
    objects: [
      streamObject(
        Buffer.from("BT /F1 12 Tf 72 720 Td (Asha Verma) Tj ET"),
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >>",
      ),
      `<< /Type /Annot /Rect [40 60 240 90] ${annotation} >>`,
      streamObject(Buffer.from(""), "/Type /XObject /Subtype /Form /BBox [0 0 9 9]"),
    ],
  });
  const [page] = await readPages(bytes);
  expect(wordsOf(page!)).toEqual(["Asha", "Verma"]);
});

test("words drawn over a page are read exactly when they are visible", async () => {
  const pdfium = await openPdfium();
  const picture = (bytes: Buffer) => {
    const document = pdfium.open(bytes);
    if (typeof document === "string") throw new Error(document);
    const page = document.openPage(0)!;
    const pixels = page.picture({ width: 400, height: 300 }, { top: 0, height: 300 });
    page.close();
    document.close();
    // The rows of the words, without the frame that PDFium may draw around them.
    return pixels.subarray(400 * 4 * 225, 400 * 4 * 235);
  };
  const plain = picture(pageOfKind(pageKinds[0]!, null));
  for (const overlay of overlays.filter(({ name }) => !name.includes("turned"))) {
    const isShown = !picture(pageOfKind(pageKinds[0]!, overlay)).equals(plain);
    if (overlay.appearance !== null || overlay.words)
      expect(isShown, overlay.name).toBe(overlay.words !== "");
  }
});

test("words drawn over a page have correct boxes", async () => {
  for (const kind of pageKinds.filter(({ name }) => /away|crop|art box|saved|scaled/.test(name))) {
    const [page] = await readPages(pageOfKind(kind, overlays[0]!));
    const [left, bottom] = kind.name.includes("away") ? [-100, -50] : [0, 0];
    const [width, height] = kind.name.includes("crop") ? [380, 260] : [400, 300];
    const [cropLeft, cropBottom] = kind.name.includes("crop") ? [10, 20] : [0, 0];
    const [, , x, y, , high] = page!.words.find(([start]) =>
      page!.text.slice(start).startsWith("Comment"),
    )!;
    expect(x * width, kind.name).toBeCloseTo(44 - left - cropLeft, -0.5);
    const base = height - (64 - bottom - cropBottom);
    expect(y * height, kind.name).toBeLessThan(base);
    expect((y + high) * height, kind.name).toBeGreaterThan(base);
  }
});

/** Creates a document whose codes map to these letters. */
function naming(letters: string): Buffer {
  const hex = (text: string) => Buffer.from(text, "utf16le").swap16().toString("hex");
  const named = Array.from(letters).map((letter, index) => `<${code(index)}> <${hex(letter)}>`);
  const codes = Array.from(letters)
    .map((_, index) => code(index))
    .join("");
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${named.length} beginbfchar ${named.join("\n")} endbfchar endcmap`;
  return makePdf({
    content: `BT /F2 12 Tf 72 720 Td <${codes}> Tj ET`,
    page: "/Resources << /Font << /F2 6 0 R >> >>",
    objects: [
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>",
      streamObject(Buffer.from(map)),
    ],
  });
}

const code = (index: number) => (index + 0x41).toString(16);

test.each(["📞 +91", "𝐀𝐬𝐡𝐚 Verma", "𐌰𐍃𐌷𐌰", "a📞", "📞"])(
  "letters beyond U+FFFF are one character: %s",
  async (letters) => {
    const [page] = await readPages(naming(letters));
    expect(page!.text.trim()).toBe(letters);
    expect(wordsOf(page!)).toEqual(letters.split(" "));
    expect(page!.words.every(([, , , , width]) => width > 0)).toBe(true);
  },
);

test("a lone surrogate is an unknown character", async () => {
  const [page] = await readPages(naming("a\ud83db"));
  expect(page!.text.trim()).toBe("a\ufffdb");
});
