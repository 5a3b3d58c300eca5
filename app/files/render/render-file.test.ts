import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { joinPdf, makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import { type RenderAnswer, type RenderedPage, renderFile } from "./render-file.server.ts";
import { bandHeight, missingPages, maxPages, type RenderableKind } from "./rendering.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const above = ownFolder();

async function render(content: string | Buffer, kind: RenderableKind = "pdf", after = 0) {
  const folder = await mkdtemp(join(above, "job-"));
  const path = typeof content === "string" ? join(fixtures, content) : join(folder, "file");
  if (typeof content !== "string") await writeFile(path, content);
  const pages: RenderedPage[] = [];
  const tell = (answer: RenderAnswer) => "page" in answer && pages.push(answer.page);
  const end = await renderFile({ kind, path, folder, after }, tell);
  return { folder, pages, end };
}

/** Returns the colour at a place given as fractions of a band, as "red" or as numbers. */
async function colour(folder: string, page: number, x: number, y: number, band = 0) {
  const picture = sharp(join(folder, `${page}-${band}-large.webp`));
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const left = Math.min(info.width - 1, Math.floor(x * info.width));
  const top = Math.min(info.height - 1, Math.floor(y * info.height));
  const at = (top * info.width + left) * info.channels;
  return nameOf([...data.subarray(at, at + 3)]);
}

const named: Record<string, number[]> = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  white: [255, 255, 255],
  black: [0, 0, 0],
};

function nameOf(found: number[]): string {
  const [name] =
    Object.entries(named).find(([, parts]) =>
      parts.every((part, index) => Math.abs(part - found[index]!) < 20),
    ) ?? [];
  return name ?? found.join();
}

async function sidesOf(folder: string, name: string) {
  const { width, height } = await sharp(join(folder, name)).metadata();
  return [width, height];
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c33" } });

test.each<[string, () => Promise<Buffer>]>([
  ["lossy WebP", () => plain(40, 24).webp({ quality: 50 }).toBuffer()],
  ["lossless WebP", () => plain(40, 24).webp({ lossless: true }).toBuffer()],
  ["extended WebP", () => plain(40, 24).ensureAlpha(0.5).webp().toBuffer()],
  ["WebP that moves", () => moving(40, 24, "webp")],
  ["GIF", () => plain(40, 24).gif().toBuffer()],
  ["GIF that moves", () => moving(40, 24, "gif")],
])("only the size of a %s is read", async (_what, make) => {
  const { folder, pages, end } = await render(await make(), "original");
  expect(end).toEqual({ pageCount: 1 });
  expect(pages).toMatchObject([{ number: 1, of: 1, width: 30, height: 18, bands: [] }]);
  expect(await readdir(folder)).toEqual(["file"]);
});

/** Creates an image of two frames. */
async function moving(width: number, height: number, format: "webp" | "gif"): Promise<Buffer> {
  const frames = await Promise.all(
    ["#c33", "#33c"].map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

test("an original without a size ends with a message", async () => {
  const bytes = await readFile(join(fixtures, "poster.gif"));
  expect(await render(bytes.subarray(0, 10), "original")).toMatchObject({
    pages: [],
    end: { problem: missingPages.damaged },
  });
});

test("a page is rendered in both widths as one band", async () => {
  const { folder, pages, end } = await render("pages/cropped.pdf");
  expect(end).toEqual({ pageCount: 3 });
  expect(pages[0]).toMatchObject({ number: 1, of: 3, bands: [{ top: 0, height: 1 }] });
  expect(await sidesOf(folder, "1-0-large.webp")).toEqual([1600, 1200]);
  expect(await sidesOf(folder, "1-0-small.webp")).toEqual([800, 600]);
});

test("links and fonts of a page are reported", async () => {
  const outOf =
    "<< /Type /Annot /Subtype /Link /Rect [59.5 421 119 505.2] /A << /S /URI /URI (https://example.com/work) >> >>";
  const within =
    "<< /Type /Annot /Subtype /Link /Rect [0 0 90 9] /A << /S /GoTo /D [3 0 R /Fit] >> >>";
  const { pages } = await render(makePdf({ page: `/Annots [${outOf} ${within}]` }));
  expect(pages[0]!.text).toMatchObject({
    links: [{ address: "https://example.com/work", box: [0.1, 0.4, 0.1, 0.1] }],
    fonts: [{ name: "Helvetica", isEmbedded: false }],
  });
});

/** A page of 400 by 300 points: red at its bottom left, blue at its bottom right. */
const corners = "1 0 0 rg 0 0 100 100 re f 0 0 1 rg 300 0 100 100 re f";

/** Creates a document whose pages have these entries and the same content. */
function pagesOf(entries: string[], content = corners): Buffer {
  const kids = entries.map((_, index) => `${index + 4} 0 R`).join(" ");
  return joinPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${entries.length} >>`,
    streamObject(Buffer.from(content)),
    ...entries.map(
      (own) => `<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources << >> ${own} >>`,
    ),
  ]);
}

test("a page is turned and cropped as its document says", async () => {
  const { folder, pages } = await render(
    pagesOf([
      "/MediaBox [0 0 400 300] /Rotate 90",
      "/MediaBox [0 0 400 300] /CropBox [200 0 400 300]",
      "/MediaBox [0 0 400 300] /CropBox [0 0 200 300] /Rotate 180",
    ]),
  );
  expect(pages.map(({ width, height }) => [width, height])).toEqual([
    [300, 400],
    [200, 300],
    [200, 300],
  ]);
  expect(await colour(folder, 1, 0.1, 0.1)).toBe("red");
  expect(await colour(folder, 1, 0.1, 0.9)).toBe("blue");
  expect(await colour(folder, 2, 0.9, 0.9)).toBe("blue");
  expect(await colour(folder, 2, 0.1, 0.9)).toBe("white");
  expect(await colour(folder, 3, 0.9, 0.1)).toBe("red");
});

test("words of a turned page have correct boxes", async () => {
  const { pages } = await render(makePdf({ page: "/Rotate 90 /CropBox [0 421 595 842]" }));
  const [, , left, top, width, height] = pages[0]!.text.words[0]!;
  expect(pages[0]).toMatchObject({ width: 421, height: 595 });
  expect(left).toBeGreaterThan((720 - 421 - 10) / 421);
  expect(left).toBeLessThan((720 - 421 + 10) / 421);
  expect(top).toBeCloseTo(72 / 595, 2);
  expect(height).toBeGreaterThan(width);
});

test("pages of different sizes have pictures of the same width", async () => {
  const { folder, pages } = await render(
    pagesOf(["/MediaBox [0 0 595 842]", "/MediaBox [0 0 1920 1080]", "/MediaBox [0 0 20 2000]"]),
  );
  expect(pages.map(({ width, height }) => [width, height])).toEqual([
    [595, 842],
    [1920, 1080],
    [20, 2000],
  ]);
  expect(await sidesOf(folder, "1-0-large.webp")).toEqual([1600, 2264]);
  expect(await sidesOf(folder, "2-0-large.webp")).toEqual([1600, 900]);
  // At 1,600 pixels of width it would be 160,000 high, which exceeds the limit.
  expect(await sidesOf(folder, "3-0-large.webp")).toEqual([400, bandHeight]);
  expect(pages[2]!.bands).toHaveLength(10);
});

test("the values of form fields are shown", async () => {
  const { folder } = await render(
    makePdf({
      catalog: "/AcroForm << /Fields [6 0 R] >>",
      page: "/Annots [6 0 R]",
      objects: [
        "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Asha) /F 4 /Rect [0 0 200 200] /P 3 0 R /AP << /N 7 0 R >> >>",
        streamObject(
          Buffer.from("0 1 0 rg 0 0 200 200 re f"),
          "/Type /XObject /Subtype /Form /BBox [0 0 200 200]",
        ),
      ],
    }),
  );
  expect(await colour(folder, 1, 0.1, 0.95)).toBe("green");
});

test("a frame of 1,440 × 14,400 points is cut into bands without a seam", async () => {
  const { folder, pages } = await render(
    pagesOf(["/MediaBox [0 0 1440 14400]"], "1 0 0 rg 0 0 1440 7200 re f"),
  );
  const [{ bands } = { bands: [] }] = pages;
  expect(bands).toHaveLength(4);
  expect(bands.reduce((sum, { height }) => sum + height, 0)).toBeCloseTo(1);
  // The middle of the page is in the last row of the second band.
  expect(await colour(folder, 1, 0.5, 0.98, 1)).toBe("white");
  expect(await colour(folder, 1, 0.5, 0.02, 2)).toBe("red");
});

// Covered by "app/annotations/document-pages/pages.test.ts: both parts are rendered once".
test(`pages beyond ${maxPages} are not rendered @slow`, async () => {
  const box = "/MediaBox [0 0 20 10]";
  const { pages, end } = await render(pagesOf(Array.from({ length: 63 }, () => box)));
  expect(end).toEqual({ pageCount: 63 });
  expect(pages).toHaveLength(maxPages);
  expect(pages.at(-1)).toMatchObject({ number: 60, of: 63 });
});

test("pages rendered before a crash aren't rendered again", async () => {
  const box = "/MediaBox [0 0 20 10]";
  const { pages } = await render(pagesOf([box, box, box]), "pdf", 2);
  expect(pages.map(({ number }) => number)).toEqual([3]);
});

/** Creates an image with a red left and a blue right half. */
function halves(width: number, height: number) {
  const blue = { create: { width: width / 2, height, channels: 3, background: "blue" } } as const;
  return sharp({ create: { width, height, channels: 3, background: "red" } }).composite([
    { input: blue, left: width / 2, top: 0 },
  ]);
}

test("a narrow image keeps its width and is one page", async () => {
  const { folder, pages, end } = await render(await halves(400, 200).png().toBuffer(), "image");
  expect(end).toEqual({ pageCount: 1 });
  expect(pages).toMatchObject([{ width: 300, height: 150, text: { text: "", words: [] } }]);
  expect(await sidesOf(folder, "1-0-large.webp")).toEqual([400, 200]);
  expect(await colour(folder, 1, 0.1, 0.5)).toBe("red");
  expect(await colour(folder, 1, 0.9, 0.5)).toBe("blue");
});

test("a photograph is turned upright", async () => {
  const turned = await halves(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { folder, pages } = await render(turned, "image");
  expect(pages).toMatchObject([{ width: 150, height: 300 }]);
  expect(await colour(folder, 1, 0.5, 0.1)).toBe("red");
  expect(await colour(folder, 1, 0.5, 0.9)).toBe("blue");
});

test("a CMYK image is converted to sRGB", async () => {
  const printed = await halves(400, 200).toColourspace("cmyk").jpeg().toBuffer();
  expect((await sharp(printed).metadata()).space).toBe("cmyk");
  const { folder } = await render(printed, "image");
  const picture = await sharp(join(folder, "1-0-large.webp")).stats();
  expect(picture.channels).toHaveLength(3);
  const [red, , blue] = await sharp(join(folder, "1-0-large.webp"))
    .extract({ left: 50, top: 50, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect(red).toBeGreaterThan(180);
  expect(blue).toBeLessThan(90);
});

test("16-bit and transparent images are rendered on white", async () => {
  const deep = await halves(400, 200).toColourspace("rgb16").png().toBuffer();
  expect((await sharp(deep).metadata()).depth).toBe("ushort");
  const { folder } = await render(deep, "image");
  expect(await colour(folder, 1, 0.1, 0.5)).toBe("red");
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const empty = sharp({ create: { width: 40, height: 40, channels: 4, background: clear } });
  const through = await render(await empty.png().toBuffer(), "image");
  expect(await colour(through.folder, 1, 0.5, 0.5)).toBe("white");
});

// Covered by "a frame of 1,440 × 14,400 points".
test("a frame of 1,440 × 30,000 pixels is cut into bands @slow", async () => {
  const { folder, pages } = await render(await halves(1440, 30_000).png().toBuffer(), "image");
  expect(pages[0]!.bands).toHaveLength(8);
  expect(await sidesOf(folder, "1-7-large.webp")).toEqual([1440, 2000]);
  expect(await sidesOf(folder, "1-7-small.webp")).toEqual([800, 1111]);
  expect(await colour(folder, 1, 0.9, 0.99, 7)).toBe("blue");
});

test.each<[string, () => string | Buffer, RenderableKind, string]>([
  ["asks for a password", () => "password.pdf", "pdf", missingPages.password],
  ["is something else", () => "resume.docx", "pdf", missingPages.damaged],
  ["is empty", () => Buffer.alloc(0), "pdf", missingPages.damaged],
  ["is no image", () => "resume.pdf", "image", missingPages.damaged],
])("a file that %s ends with a message", async (_what, content, kind, problem) => {
  const { end, pages, folder } = await render(content(), kind);
  expect(end).toEqual({ problem });
  expect(pages).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.endsWith(".webp"))).toEqual([]);
});

test("an engine crash isn't reported as a file that is too large", async () => {
  const { end, pages } = await render("crashing-picture.pdf");
  expect(end).toEqual({ problem: missingPages.crashed, crashed: true });
  expect(pages).toEqual([]);
});

test("a file can be rendered after a rewrite by the engine", async () => {
  const folder = await mkdtemp(join(above, "job-"));
  const pages: RenderedPage[] = [];
  const end = await renderFile(
    { kind: "pdf", path: join(fixtures, "restricted.pdf"), folder, after: 1, rewrite: true },
    (answer) => "page" in answer && pages.push(answer.page),
  );
  expect(end).toEqual({ pageCount: 2 });
  expect(pages.map(({ number }) => number)).toEqual([2]);
  expect(pages[0]!.text.words.length).toBeGreaterThan(5);
});

test("an incomplete image ends with a message", async () => {
  const whole = await readFile(join(fixtures, "poster.png"));
  const { end } = await render(whole.subarray(0, whole.length / 2), "image");
  expect(end).toEqual({ problem: missingPages.damaged });
});

test("an image with too many pixels is too large", async () => {
  const claimed = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  claimed.writeUInt32BE(40_000, 16);
  claimed.writeUInt32BE(40_000, 20);
  claimed.writeUInt32BE(crc32(claimed.subarray(12, 29)), 29);
  expect((await render(claimed, "image")).end).toEqual({ problem: missingPages.oversized });
});
