import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkContent } from "./check-content.server.ts";
import { removeLocationData } from "./location-data.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const folder = ownFolder();

/** Removes the location from a picture and returns its bytes. */
async function removeLocation(bytes: Buffer, extension: string): Promise<Buffer> {
  const path = join(folder, `picture.${extension}`);
  await writeFile(path, bytes);
  await removeLocationData(path, extension);
  const left = await readFile(path);
  const found = await checkContent("review-image", path, "picture", () => Promise.resolve(null));
  expect(found).toMatchObject({ ok: true, extension });
  return left;
}

/** Creates little-endian TIFF data with an orientation and a directory with a latitude. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.alloc(90);
  tiff.write("II*\0", "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(2, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  tiff.writeUInt16LE(0x8825, 22);
  tiff.writeUInt16LE(4, 24);
  tiff.writeUInt32LE(1, 26);
  tiff.writeUInt32LE(38, 30);
  tiff.write("GPS 12.9716 N 77.5946 E", 50, "latin1");
  return tiff;
}

const xmp = Buffer.from("<rdf:RDF exif:GPSLatitude='12,58.3N' exif:GPSLongitude='77,35.6E'/>");
const places = ["GPS", "12.9716", "12,58", "Bengaluru"];

function expectNoPlace(bytes: Buffer): void {
  for (const place of places) expect(bytes.includes(place), place).toBe(false);
}

function segment(marker: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((one) => Buffer.from(one as string, "latin1")));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

test.each(["poster.jpg", "progressive.jpg"])("the location is removed from %s", async (name) => {
  const picture = await readFile(join(fixtures, name));
  const profile = segment(0xe2, "ICC_PROFILE\0\x01\x01", Buffer.alloc(500, "colours"));
  const metadata = [
    segment(0xe1, "Exif\0\0", exif(6)),
    segment(0xe1, "http://ns.adobe.com/xap/1.0/\0", xmp),
    segment(0xe2, "MPF\0", "GPS of another picture"),
    segment(0xed, "Photoshop 3.0\x008BIM\x04\x04", "City: Bengaluru"),
    segment(0xfe, "Bengaluru"),
  ];
  const behind = Buffer.concat([picture, segment(0xe1, "Exif\0\0", exif(1))]);
  const soi = picture.subarray(0, 2);
  const bytes = Buffer.concat([soi, profile, ...metadata, picture.subarray(2), behind]);

  const left = await removeLocation(bytes, "jpg");
  expect(left).toHaveLength(bytes.length);
  expectNoPlace(left);
  expect(left.includes(profile)).toBe(true);
  const start = 2 + profile.length + Buffer.concat(metadata).length;
  const end = start + picture.length - 2;
  expect(left.subarray(start, end).equals(picture.subarray(2))).toBe(true);
  const oriented = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06";
  expect(left.indexOf(oriented, 0, "latin1")).toBe(2 + profile.length + 4);
  expect(left.subarray(end).every((byte) => byte === 0)).toBe(true);
});

function pngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length);
  chunk.write(type, 4, "latin1");
  content.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + content.length)), 8 + content.length);
  return chunk;
}

/** Reads the chunks of a PNG and checks their checksums. */
function pngChunks(bytes: Buffer): { type: string; whole: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < bytes.length && bytes.readUInt32BE(at + 4) !== 0;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const whole = bytes.subarray(at, end);
    expect(whole.readUInt32BE(whole.length - 4)).toBe(crc32(whole.subarray(4, -4)));
    chunks.push({ type: whole.toString("latin1", 4, 8), whole });
    at = end;
  }
  return chunks;
}

test("the location is removed from a PNG", async () => {
  const picture = await readFile(join(fixtures, "poster.png"));
  const profile = pngChunk("iCCP", Buffer.from("colours\0\0..."));
  const metadata = [
    pngChunk("eXIf", exif(8)),
    pngChunk("iTXt", Buffer.concat([Buffer.from("XML:com.adobe.xmp\0\0\0\0\0"), xmp])),
    pngChunk("tEXt", Buffer.from("Location\0Bengaluru")),
    pngChunk("zTXt", Buffer.concat([Buffer.from("Raw profile type exif\0\0"), deflateSync(xmp)])),
    pngChunk("caBX", Buffer.from("Bengaluru")),
  ];
  const headerEnd = 8 + 25;
  const bytes = Buffer.concat([
    picture.subarray(0, headerEnd),
    profile,
    ...metadata,
    picture.subarray(headerEnd),
    Buffer.from("Bengaluru"),
  ]);

  const left = await removeLocation(bytes, "png");
  expect(left).toHaveLength(bytes.length);
  expectNoPlace(left);
  expect(left.includes("Raw profile")).toBe(false);
  const shown = (one: Buffer) =>
    pngChunks(one).filter(({ type }) => !["noNe", "eXIf", "iCCP", "tEXt"].includes(type));
  expect(shown(left)).toEqual(shown(picture));
  expect(left.includes(profile)).toBe(true);
  expect(left.indexOf("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08", 0, "latin1")).toBe(
    headerEnd + profile.length + 8,
  );
});

function webpChunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

test("the location is removed from a WebP", async () => {
  const simple = (await readFile(join(fixtures, "poster.webp"))).subarray(12);
  const extended = Buffer.from([0x2c, 0, 0, 0, 0xdf, 1, 0, 0x3f, 1, 0]);
  const profile = webpChunk("ICCP", Buffer.from("colours"));
  const chunks = Buffer.concat([
    webpChunk("VP8X", extended),
    profile,
    simple,
    webpChunk("EXIF", exif(3)),
    webpChunk("XMP ", xmp),
  ]);
  const riff = Buffer.from("RIFF....WEBP");
  riff.writeUInt32LE(chunks.length + 4, 4);
  const bytes = Buffer.concat([riff, chunks, Buffer.from("Bengaluru")]);

  const left = await removeLocation(bytes, "webp");
  expect(left).toHaveLength(bytes.length);
  expectNoPlace(left);
  expect(left.includes(profile)).toBe(true);
  expect(left.includes(simple)).toBe(true);
  expect(left.includes("EXIFZ\0\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03")).toBe(
    true,
  );
});

test.each(["poster.png", "poster.jpg", "poster.webp", "lossless.webp", "progressive.jpg"])(
  "the pixels of %s don't change",
  async (name) => {
    const bytes = await readFile(join(fixtures, name));
    const left = await removeLocation(bytes, name.split(".")[1]!);
    expect(await removeLocation(left, name.split(".")[1]!)).toEqual(left);
    const changed = bytes.filter((byte, index) => byte !== left[index]).length;
    expect(changed).toBeLessThan(200);
  },
);

test("an incomplete image is not changed", async () => {
  const half = (await readFile(join(fixtures, "poster.png"))).subarray(0, 2000);
  const path = join(folder, "half.png");
  await writeFile(path, half);
  await removeLocationData(path, "png");
  await removeLocationData(path, "pdf");
  expect(await readFile(path)).toEqual(half);
});
