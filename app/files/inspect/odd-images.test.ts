import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { makePngChunk } from "../../../tests/support/documents/png.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { fileProblems } from "../finding.ts";
import { type RenderedPage, renderFile } from "../render/render-file.server.ts";
import { checkContent } from "./check-content.server.ts";
import { inspectDocument } from "./document.server.ts";
import { createDocumentProcess } from "./document-process.server.ts";
import { removeLocationData } from "./location-data.server.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const folder = ownFolder();
const documents = createDocumentProcess();
afterAll(() => documents.close());

const files = Object.fromEntries(
  await Promise.all(
    ["poster.jpg", "progressive.jpg", "poster.png", "poster.webp", "poster.gif"].map(
      async (name) => [name, await readFile(join(fixtures, name))] as const,
    ),
  ),
) as Record<string, Buffer<ArrayBuffer>>;
const { "poster.jpg": jpeg, "progressive.jpg": progressive } = files as Record<string, Buffer>;
const {
  "poster.png": png,
  "poster.webp": webp,
  "poster.gif": gif,
} = files as Record<string, Buffer>;

/** Joins bytes and texts. */
function concat(...parts: (Buffer | string)[]): Buffer<ArrayBuffer> {
  return Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)),
  );
}

/** Returns the position of the second segment of a JPEG. */
function findSecondSegment(bytes: Buffer): number {
  return 4 + bytes.readUInt16BE(4);
}

/** Returns the position of the segment before the pixels of a JPEG. */
function findPixels(bytes: Buffer): number {
  let at = 2;
  while (bytes[at + 1] !== 0xda) at += 2 + bytes.readUInt16BE(at + 2);
  return at;
}

function insert(bytes: Buffer, at: number, added: Buffer | string): Buffer<ArrayBuffer> {
  return concat(bytes.subarray(0, at), added, bytes.subarray(at));
}

const place = "GPS 12.9716 N, Bengaluru";
const samsungTrailer = concat(
  "\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data",
  place,
  "SEFH\x6b\0\0\0",
  "SEFT",
);
const motionPhoto = concat("\0\0\0\x18ftypmp42", place, Buffer.alloc(3000, 7));
const exif = concat("\xff\xe1\0\x24Exif\0\0", place, Buffer.alloc(4));
const badSum = (chunk: Buffer) => {
  const changed = Buffer.from(chunk);
  changed[changed.length - 1]! ^= 1;
  return changed;
};
const text = makePngChunk("tEXt", Buffer.from(`Location\0${place}`));
const afterHeader = 33;
const pngEnd = png!.length - 12;
const gifComment = concat("\x21\xfe", String.fromCharCode(place.length), place, "\0");
const gifData = concat("\x21\xff\x0bXMP DataXMP", String.fromCharCode(place.length), place, "\0");
const gifStart = 13 + 3 * 2 ** ((gif![10]! & 7) + 1);

const jpegs = (["baseline", "progressive"] as const).flatMap((kind): [string, Buffer][] => {
  const bytes = kind === "baseline" ? jpeg! : progressive!;
  const open = bytes.subarray(0, -2);
  return [
    [`a ${kind} JPEG`, bytes],
    [
      `a ${kind} JPEG with a stray byte between segments`,
      insert(bytes, findSecondSegment(bytes), "\0"),
    ],
    [`a ${kind} JPEG with stray bytes before its pixels`, insert(bytes, findPixels(bytes), "abc")],
    [`a ${kind} JPEG with a stray zero marker`, insert(bytes, findSecondSegment(bytes), "\xff\0")],
    [
      `a ${kind} JPEG with filling between segments`,
      insert(bytes, findSecondSegment(bytes), "\xff\xff"),
    ],
    [`a ${kind} JPEG with Samsung's trailer`, concat(bytes, samsungTrailer)],
    [`a ${kind} JPEG with a motion photo`, concat(bytes, motionPhoto)],
    [`a ${kind} JPEG with a second picture`, concat(bytes, insert(bytes, 2, exif))],
    [
      `a ${kind} JPEG with a second picture in its first`,
      insert(bytes, 2, concat("\xff\xe2\0\x20MPF\0", place, "\0\0")),
    ],
    [`a ${kind} JPEG with Samsung's trailer instead of its end`, concat(open, samsungTrailer)],
    [`a ${kind} JPEG with a motion photo instead of its end`, concat(open, motionPhoto)],
    [`a ${kind} JPEG with zeros instead of its end`, concat(open, Buffer.alloc(100))],
    [`a ${kind} JPEG without its end`, open],
    [`a ${kind} JPEG with half of its end`, bytes.subarray(0, -1)],
  ];
});

const others: [string, Buffer][] = [
  ["a PNG with bytes after its end", concat(png!, place)],
  ["a PNG without its end", png!.subarray(0, pngEnd)],
  ["a PNG with half of its end", png!.subarray(0, pngEnd + 5)],
  [
    "a PNG with text instead of its end",
    concat(png!.subarray(0, pngEnd), text, text.subarray(0, 30)),
  ],
  ["a PNG with a wrong checksum of a text", insert(png!, afterHeader, badSum(text))],
  [
    "a PNG with an unknown chunk",
    insert(png!, afterHeader, makePngChunk("abCd", Buffer.from(place))),
  ],
  ["a PNG with a wrong checksum of its end", badSum(png!)],
  ["a WebP with bytes after its end", concat(webp!, place)],
  ["a GIF", gif!],
  ["a GIF with bytes after its end", concat(gif!, place)],
  ["a GIF without its end", gif!.subarray(0, -1)],
  ["a GIF with a comment", insert(gif!, gifStart, gifComment)],
  ["a GIF with XMP", insert(gif!, gifStart, gifData)],
];

test.each([...jpegs, ...others])(
  "%s is accepted, without its location, and shown",
  async (name, bytes) => {
    const path = join(await mkdtemp(join(folder, "image-")), "file");
    await writeFile(path, bytes);
    const content = await checkContent("review-image", path, "picture", inspectDocument);
    if (!content.ok) throw new Error(content.description);
    expect(content.showable).toBe(true);
    await removeLocationData(path, content.extension, content.end);
    const left = await readFile(path);
    expect(left).toHaveLength(bytes.length);
    for (const word of ["GPS", "12.97", "Bengaluru"]) expect(left.includes(word), word).toBe(false);
    const again = await checkContent("review-image", path, "picture", inspectDocument);
    expect(again.ok).toBe(true);
    expect(await isShown(path, content.extension)).toBe(true);
    const source = Object.entries(files).find(([file]) => file.endsWith(content.extension))![1];
    const original = name.includes("progressive") ? progressive! : source;
    const pixels = (image: Buffer) => sharp(image, { failOn: "none" }).raw().toBuffer();
    expect((await pixels(left)).equals(await pixels(original))).toBe(true);
  },
);

/** Checks whether our renderer, which is strict, shows an image. */
async function isShown(path: string, extension: string): Promise<boolean> {
  const kind = extension === "png" || extension === "jpg" ? "image" : "original";
  const pages: RenderedPage[] = [];
  const job = { kind, path, folder: await mkdtemp(join(folder, "pages-")), after: 0 } as const;
  const end = await renderFile(job, (answer) => "page" in answer && pages.push(answer.page));
  return "pageCount" in end && pages.length === 1;
}

const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

test.each<[string, Buffer]>([
  ...[0.3, 0.5, 0.9, 0.98].flatMap((share): [string, Buffer][] => [
    [`${share} of a baseline JPEG`, cut(jpeg!, share)],
    [`${share} of a progressive JPEG`, cut(progressive!, share)],
    [`${share} of a PNG`, cut(png!, share * 0.9)],
    [`${share} of a WebP`, cut(webp!, share)],
    [`${share} of a GIF`, cut(gif!, share)],
  ]),
  ["half of a baseline JPEG and a trailer", concat(cut(jpeg!, 0.5), samsungTrailer)],
  ["half of a progressive JPEG and a trailer", concat(cut(progressive!, 0.5), samsungTrailer)],
  ["a JPEG without pixels", jpeg!.subarray(0, findPixels(jpeg!))],
  ["a JPEG of stray bytes", concat("\xff\xd8\xff", "\0\xff".repeat(5000))],
  ["a GIF without pixels", concat(gif!.subarray(0, gifStart), ";")],
])("%s is refused", async (_name, bytes) => {
  const path = join(await mkdtemp(join(folder, "image-")), "file");
  await writeFile(path, bytes);
  expect(await checkContent("review-image", path, "picture", inspectDocument)).toMatchObject({
    ok: false,
    description: fileProblems.incomplete,
  });
});

test("an image without its end is decoded in its own process", async () => {
  const path = join(await mkdtemp(join(folder, "image-")), "file");
  await writeFile(path, concat(jpeg!.subarray(0, -2), samsungTrailer));
  const content = await checkContent("portfolio", path, "picture.jpg", (job) => {
    expect(job.kind).toBe("jpg");
    return documents.inspect(job, "asha");
  });
  expect(content).toMatchObject({ ok: true, end: jpeg!.length - 2 });
});

test("an image is no document, whatever follows it", async () => {
  const path = join(await mkdtemp(join(folder, "image-")), "file");
  for (const bytes of [concat(jpeg!, "%PDF-1.7\n"), concat(png!, "PK\x03\x04")]) {
    await writeFile(path, bytes);
    expect(await checkContent("resume", path, "resume.pdf", inspectDocument)).toMatchObject({
      ok: false,
    });
  }
});
