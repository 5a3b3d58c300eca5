import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import CFB from "cfb";
import { makePdf } from "../../../tests/support/documents/pdf.ts";
import { makeZip as zip, type ZipPart } from "../../../tests/support/documents/zip.ts";
import { type CheckedContent, checkContent } from "./check-content.server.ts";
import { inspectDocument } from "./document.server.ts";
import { mimeTypes, type UploadPurpose, uploadPurposes } from "../rules.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const folder = ownFolder();

function check(purpose: UploadPurpose, name: string): Promise<CheckedContent> {
  return checkContent(purpose, join(fixtures, name), name, inspectDocument);
}

async function checkBytes(
  purpose: UploadPurpose,
  bytes: Uint8Array | string,
  name = "resume.pdf",
): Promise<CheckedContent> {
  const path = join(folder, `upload-${randomUUID()}`);
  await writeFile(path, bytes);
  return checkContent(purpose, path, name, inspectDocument).finally(() => rm(path));
}

const wrongResume = {
  ok: false,
  title: "Invalid file type",
  description: "Please upload a PDF or Word document",
};
const wrongPortfolio = {
  ok: false,
  title: "Invalid file type",
  description: "Please upload a PDF or image file",
};
const pdf = { ok: true, mimeType: "application/pdf", extension: "pdf", showable: true };

function refusedResume(reason: string) {
  return { ...wrongResume, description: `${wrongResume.description}. ${reason}` };
}
const locked = refusedResume("This file is password-protected.");
const incomplete = refusedResume("This file is incomplete or damaged.");
const oversized = refusedResume("This file becomes too large when it's opened.");

test("resumes from office programs are accepted", async () => {
  for (const kind of ["pdf", "doc", "docx"] as const) {
    const showable = kind === "pdf";
    const expected = { ok: true, mimeType: mimeTypes[kind], extension: kind, showable };
    expect(await check("resume", `resume.${kind}`)).toEqual(expected);
  }
});

test("portfolios are accepted as PDF, PNG and JPEG only", async () => {
  expect(await check("portfolio", "resume.pdf")).toEqual(pdf);
  expect(await check("portfolio", "poster.png")).toMatchObject({ mimeType: "image/png" });
  expect(await check("portfolio", "poster.jpg")).toMatchObject({ extension: "jpg" });
  expect(await check("portfolio", "progressive.jpg")).toMatchObject({ mimeType: "image/jpeg" });
  for (const name of ["poster.webp", "poster.gif", "resume.docx", "resume.doc", "drawing.png"]) {
    expect(await check("portfolio", name)).toEqual(wrongPortfolio);
  }
});

test("screenshots are accepted in four types, never as SVG", async () => {
  for (const name of ["poster.png", "poster.jpg", "poster.gif", "poster.webp", "lossless.webp"]) {
    expect(await check("review-image", name)).toMatchObject({ ok: true });
  }
  expect(await check("review-image", "drawing.png")).toEqual({
    ok: false,
    title: "Failed to upload image",
    description: "Please upload a PNG, JPEG, WebP or GIF image",
  });
  expect(await check("review-image", "resume.pdf")).toMatchObject({ ok: false });
});

test("a reviewer may attach a file of any type, but not an empty one", async () => {
  const mimeType = "application/octet-stream";
  const unknown = { ok: true, mimeType, extension: "bin", showable: false };
  expect(await check("review-file", "page.pdf")).toEqual(unknown);
  expect(await check("review-file", "resume.pdf")).toEqual(pdf);
  expect(await check("review-file", "password.docx")).toMatchObject({ ok: true });
  expect(await check("review-file", "resume.docx")).toMatchObject({ extension: "docx" });
  expect(await check("review-file", "empty.pdf")).toEqual({
    ok: false,
    title: "Failed to upload file",
    description: "This file is empty.",
  });
});

test("the content decides the type, not the name", async () => {
  for (const name of [
    "program.pdf",
    "windows-program.pdf",
    "page.pdf",
    "picture-first.pdf",
    "zip-of-notes.docx",
    "workbook.docx",
    "poster.png",
  ]) {
    expect(await check("resume", name), name).toEqual(wrongResume);
  }
  expect(await check("portfolio", "picture-first.pdf")).toMatchObject({ mimeType: "image/png" });
});

test("an empty file is refused with a reason", async () => {
  expect(await check("resume", "empty.pdf")).toEqual(refusedResume("This file is empty."));
});

test("a PDF may lack its end mark or start after some garbage", async () => {
  const bytes = await readFile(join(fixtures, "one-page.pdf"), "latin1");
  const after = (prefix: string) => checkBytes("resume", Buffer.from(prefix + bytes, "latin1"));
  expect(await check("resume", "no-end-mark.pdf")).toEqual(pdf);
  for (const prefix of ["\n\n", "\xef\xbb\xbf", "HTTP/1.1 200 OK\r\n\r\n", "x".repeat(1019)]) {
    expect(await after(prefix)).toEqual(pdf);
  }
  for (const prefix of [
    "x".repeat(1020),
    "<html>",
    "\n <!-- -->",
    "#!/bin/sh\n",
    "MZ\x90",
    "GIF89a",
  ]) {
    expect(await after(prefix), prefix).toMatchObject({ ok: false });
  }
});

test("a PDF with a password is refused with a reason", async () => {
  expect(await check("resume", "password.pdf")).toEqual(locked);
  expect(await check("portfolio", "password.pdf")).toMatchObject({
    description: "Please upload a PDF or image file. This file is password-protected.",
  });
});

test("a PDF that opens without a password is accepted", async () => {
  expect(await check("resume", "restricted.pdf")).toEqual(pdf);
  expect(await check("resume", "about-encryption.pdf")).toEqual(pdf);
});

test("every revision of PDF encryption is recognized", async () => {
  const names = await readdir(join(fixtures, "pdf-encryption"));
  expect(names.length).toBeGreaterThan(12);
  for (const name of names) {
    const expected = name.endsWith("owner-only.pdf") ? pdf : locked;
    expect(await check("resume", `pdf-encryption/${name}`), name).toEqual(expected);
    const bytes = await readFile(join(fixtures, "pdf-encryption", name));
    const cut = bytes.subarray(0, bytes.lastIndexOf("startxref"));
    // Without an end mark, no reader finds a table that is itself encrypted.
    const found = name === "r4-aes-xref-stream-owner-only.pdf" ? incomplete : expected;
    expect(await checkBytes("resume", cut), `${name} without its end`).toEqual(found);
  }
});

test("unknown encryption counts as a password", async () => {
  const objects = ["<< /Filter /Adobe.PubSec /V 4 /SubFilter /adbe.pkcs7.s5 >>"];
  const sealed = makePdf({ objects, trailer: "/Encrypt 6 0 R" });
  expect(await checkBytes("resume", sealed)).toEqual(locked);
  expect(await checkBytes("resume", makePdf({ trailer: "/Encrypt null" }))).toEqual(pdf);
});

test("Word documents with a password are refused with a reason", async () => {
  expect(await check("resume", "password.docx")).toEqual(locked);
  expect(await check("resume", "password.doc")).toEqual(locked);
  const bytes = await readFile(join(fixtures, "password.docx"));
  expect(await checkBytes("resume", bytes, "budget.XLSX")).toEqual(wrongResume);
});

test("an incomplete document or image is refused with a reason", async () => {
  expect(await check("resume", "truncated.docx")).toEqual(incomplete);
  const half = async (name: string) => {
    const bytes = await readFile(join(fixtures, name));
    return bytes.subarray(0, bytes.length / 2);
  };
  expect(await checkBytes("resume", await half("resume.doc"))).toEqual(incomplete);
  expect(await checkBytes("resume", (await half("resume.doc")).subarray(0, 8))).toEqual(incomplete);
  for (const name of ["poster.png", "poster.jpg", "poster.gif", "poster.webp", "lossless.webp"]) {
    expect(await checkBytes("review-image", await half(name)), name).toEqual({
      ok: false,
      title: "Failed to upload image",
      description: "This file is incomplete or damaged.",
    });
  }
  expect(await checkBytes("portfolio", (await half("poster.png")).subarray(0, 30))).toMatchObject({
    description: "Please upload a PDF or image file. This file is incomplete or damaged.",
  });
});

test("an image of enormous dimensions is refused", async () => {
  const bytes = await readFile(join(fixtures, "poster.png"));
  const sized = (width: number, height: number) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32BE(width, 16);
    changed.writeUInt32BE(height, 20);
    return checkBytes("review-image", changed);
  };
  expect(await sized(16_384, 16_384)).toMatchObject({ ok: true });
  expect(await sized(16_385, 16_384)).toMatchObject({ ok: false });
  expect(await sized(40_001, 1)).toMatchObject({ description: expect.stringContaining("large") });
  expect(await sized(0, 10)).toMatchObject({ ok: false });
});

const main = { name: "word/document.xml", content: '<?xml version="1.0"?><w:document/>' };

test("an archive with a main part in XML is a Word document", async () => {
  expect(await checkBytes("resume", zip([main]))).toMatchObject({ extension: "docx" });
  const bare = { ...main, content: "\uFEFF<w:document xmlns:w='x'/>" };
  expect(await checkBytes("resume", zip([bare]))).toMatchObject({ extension: "docx" });
  expect(await checkBytes("resume", zip([{ ...main, content: "MZ\x90" }]))).toEqual(incomplete);
  expect(await checkBytes("resume", zip([{ ...main, content: "" }]))).toEqual(incomplete);
});

test("a document with macros or locked parts is refused with a reason", async () => {
  const types = (type: string) => ({
    name: "[Content_Types].xml",
    content: `<Types><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
  });
  const office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
  expect(await checkBytes("resume", zip([main, types(office)]))).toMatchObject({ ok: true });
  for (const macros of [
    { name: "word/vbaProject.bin", content: "x" },
    { name: "word/other/VBAPROJECT.BIN", content: "x" },
    types("application/vnd.ms-word.document.macroEnabled.main+xml"),
  ]) {
    expect(await checkBytes("resume", zip([main, macros]))).toEqual(
      refusedResume(
        "This Word file contains macros. Please save it as a plain .docx or a PDF and upload that.",
      ),
    );
  }
  expect(await checkBytes("resume", zip([{ ...main, flags: 1 }]))).toEqual(locked);
});

test("an old Word document with macros is refused with a reason", async () => {
  const container = CFB.read(await readFile(join(fixtures, "resume.doc")), { type: "buffer" });
  CFB.utils.cfb_add(container, "/Macros/VBA/dir", [1, 2, 3]);
  const bytes = CFB.write(container, { type: "buffer" }) as Buffer;
  expect(await checkBytes("resume", bytes, "resume.doc")).toMatchObject({
    description: expect.stringContaining("This Word file contains macros."),
  });
});

function relationship(type: string, target: string, mode = `TargetMode="External"`): ZipPart {
  const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}`;
  return {
    name: "word/_rels/settings.xml.rels",
    content: `<Relationships><Relationship Id="r1" Type="${kind}" Target="${target}" ${mode}/></Relationships>`,
  };
}

test.each([
  ["attachedTemplate", "https://example.com/a.dotm"],
  ["attachedTemplate", "file://server/share/a.dotm"],
  ["attachedTemplate", "file:///\\\\server\\share\\a.dotm"],
  ["attachedTemplate", "\\\\server\\share\\a.dotm"],
  ["attachedTemplate", "&#104;ttps://example.com/a.dotm"],
  ["oleObject", "mhtml:https://example.com/a!x-usc:https://example.com/a"],
  ["image", "https://example.com/pixel.png"],
  ["frame", "//example.com/a.docx"],
])("a document that loads its %s from %s is refused with a reason", async (type, target) => {
  const expected = refusedResume(
    "This Word file loads a template or other content from another place. Please save it as a PDF and upload that.",
  );
  const part = relationship(type, target);
  expect(await checkBytes("resume", zip([main, part]))).toEqual(expected);
  const odd = { ...part, content: Buffer.from(`\uFEFF${part.content.toString()}`, "utf16le") };
  expect(await checkBytes("resume", zip([main, odd]))).toEqual(expected);
});

test.each([
  ["hyperlink", "https://example.com/portfolio"],
  ["attachedTemplate", "file:///C:\\Users\\Asha\\Templates\\Resume.dotx"],
  ["attachedTemplate", "file:///Users/asha/Resume.dotx"],
  ["image", "media/image1.png", ""],
])("a document may refer to a %s at %s", async (type, target, mode?: string) => {
  const bytes = zip([main, relationship(type, target, mode)]);
  expect(await checkBytes("resume", bytes)).toMatchObject({ ok: true, extension: "docx" });
});

test("a document that expands to fill the memory is refused", async () => {
  const zeros = { name: "word/media/image1.bmp", content: Buffer.alloc(20_000_000) };
  expect(await checkBytes("resume", zip([main, zeros]))).toEqual(oversized);
  const claims = { name: "word/media/image1.bmp", content: "x", claimed: 300_000_000 };
  expect(await checkBytes("resume", zip([main, claims]))).toEqual(oversized);
  const many = Array.from({ length: 10_001 }, (_, index) => ({ name: `p${index}`, content: "" }));
  expect(await checkBytes("resume", zip([main, ...many]))).toEqual(oversized);
});

// Covered by "random bytes never crash the check".
test("files that attack the checks are refused quickly @slow", async () => {
  const size = 10_000_000;
  const repeated = (text: string, first = "%PDF-1.7\n") =>
    Buffer.concat([Buffer.from(first, "latin1"), Buffer.alloc(size, text, "latin1")]);
  const busy = [
    repeated("trailer<<"),
    repeated("trailer<<(\\("),
    repeated("%"),
    repeated("/XRef obj<<[["),
    repeated("9 0 obj<<", "%PDF-1.7\ntrailer<</Encrypt 9 0 R>>"),
    repeated("\x00\x00\x00\x00IDAT....", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"),
    repeated("\xff\xe0\x00\x02", "\xff\xd8"),
    repeated("\xff", "\xff\xd8"),
    repeated("\x00", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    repeated("PK\x01\x02", "PK\x03\x04"),
  ];
  // A check that went over the rest of the file at each of these would take hours.
  for (const bytes of busy) await checkBytes("resume", bytes);
});

test("random bytes never crash the check", async () => {
  const beginnings = ["", "%PDF-1.7\n", "PK\x03\x04", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"].concat([
    "\x89PNG\r\n\x1a\n",
    "\xff\xd8\xff\xe0",
    "RIFF\x40\x00\x00\x00WEBPVP8 ",
    "GIF89a",
  ]);
  const files = fc
    .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 2000 }))
    .map(([first, rest]) => Buffer.concat([Buffer.from(first, "latin1"), rest]));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...uploadPurposes), files, async (purpose, bytes) => {
      expect(await checkBytes(purpose, bytes)).toHaveProperty("ok");
    }),
    { numRuns: 400 },
  );
});

// Covered by "random bytes never crash the check".
test("damaged real files never crash the check @slow", async () => {
  const names = ["resume.docx", "resume.doc", "password.docx", "one-page.pdf", "poster.png"].concat(
    ["poster.jpg", "poster.webp", "poster.gif", "pdf-encryption/r4-owner-only.pdf"],
    ["pdf-encryption/r6-xref-stream-password.pdf"],
  );
  const originals = await Promise.all(names.map((name) => readFile(join(fixtures, name))));
  const change = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
  const changes = fc.array(change, { minLength: 1, maxLength: 40 });
  // An archive has its tables at the end, a compound file at the start.
  const places = fc.constantFrom<(share: number, size: number) => number>(
    (share, size) => Math.floor(share * (size - 1)),
    (share, size) => Math.floor(share * Math.min(600, size - 1)),
    (share, size) => size - 1 - Math.floor(share * Math.min(600, size - 1)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...originals), changes, places, async (file, list, place) => {
      const damaged = Buffer.from(file);
      for (const [share, value] of list) damaged[place(share, file.length)] = value;
      expect(await checkBytes("resume", damaged)).toHaveProperty("ok");
      expect(await checkBytes("review-image", damaged)).toHaveProperty("ok");
    }),
    { numRuns: 600 },
  );
});
