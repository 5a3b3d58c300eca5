import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { makePngChunk } from "../../../tests/support/documents/png.ts";
import { fileProblems } from "../finding.ts";
import { createDocumentProcess } from "./document-process.server.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const documents = createDocumentProcess();
afterAll(() => documents.close());

const maxBytes = 40 * 1024;
const render = (bytes: Buffer) => documents.renderSquare({ bytes, side: 256, maxBytes }, "asha");

/** Renders an image that is accepted. */
async function renderPicture(bytes: Buffer): Promise<Buffer> {
  const answer = await render(bytes);
  expect(answer).toHaveProperty("picture");
  return Buffer.from((answer as { picture: Uint8Array }).picture);
}

/** A PNG of one grey, whose pixels take a thousandth of their size. */
function makeLargePng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    makePngChunk("IHDR", header),
    makePngChunk("IDAT", deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))),
    makePngChunk("IEND", Buffer.alloc(0)),
  ]);
}

test.each(["poster.png", "poster.jpg", "progressive.jpg", "poster.webp", "lossless.webp"])(
  "%s becomes a small square picture without metadata",
  async (name) => {
    const picture = await renderPicture(await readFile(join(fixtures, name)));
    expect(picture.length).toBeLessThanOrEqual(maxBytes);
    const { format, width, height, hasAlpha, exif, icc, xmp } = await sharp(picture).metadata();
    expect({ format, width, height, hasAlpha, exif, icc, xmp }).toEqual({
      format: "webp",
      width: 256,
      height: 256,
      hasAlpha: true,
    });
  },
);

test("a wide image keeps its form between transparent bands", async () => {
  const wide = await sharp({ create: { width: 400, height: 100, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  const { data, info } = await sharp(await renderPicture(wide))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const alphaAt = (x: number, y: number) => data[(y * 256 + x) * info.channels + 3];
  expect([alphaAt(128, 5), alphaAt(128, 128), alphaAt(128, 250)]).toEqual([0, 255, 0]);
});

test("a photo of noise becomes small too", async () => {
  const side = 300;
  // The same numbers in each run.
  const noise = Buffer.from(
    Array.from({ length: side * side * 3 }, (_, at) => Math.floor(Math.sin(at * 99.7) * 128) & 255),
  );
  const image = await sharp(noise, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
  expect((await renderPicture(image)).length).toBeLessThanOrEqual(maxBytes);
});

/** A WebP of two pictures below each other. Equal ones would become one. */
const animatedWebp = () =>
  sharp(Buffer.alloc(4 * 8 * 3).fill(200, 4 * 4 * 3), {
    raw: { width: 4, height: 8, channels: 3, pageHeight: 4 },
  })
    .webp({ delay: [100, 100] })
    .toBuffer();

const png = await readFile(join(fixtures, "poster.png"));
/** A PNG says before its pixels that it is animated. */
const animatedPng = Buffer.concat([
  png.subarray(0, 33),
  makePngChunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
  png.subarray(33),
]);

test.each([
  ["an animated WebP", animatedWebp, fileProblems.animated],
  ["an animated PNG", async () => animatedPng, fileProblems.animated],
  ["a PNG that becomes 400 megapixels", async () => makeLargePng(20_000), fileProblems.oversized],
  ["half of a PNG", async () => png.subarray(0, png.length / 2), fileProblems.incomplete],
  [
    "half of a JPEG",
    async () => (await readFile(join(fixtures, "poster.jpg"))).subarray(0, 5_000),
    fileProblems.incomplete,
  ],
  [
    "half of a WebP",
    async () => (await readFile(join(fixtures, "poster.webp"))).subarray(0, 2_000),
    fileProblems.incomplete,
  ],
  [
    "an SVG",
    async () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`),
    fileProblems.incomplete,
  ],
  ["a GIF", () => readFile(join(fixtures, "poster.gif")), fileProblems.incomplete],
])("%s gets a clear sentence", async (_what, make, problem) => {
  expect(await render(await make())).toEqual({ problem });
});
