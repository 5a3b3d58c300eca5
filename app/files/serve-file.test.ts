import * as fs from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { NotFound } from "../platform/errors.ts";
import { createDiskStore } from "./disk-store.server.ts";
import { type ServedFile, serveFile } from "./serve-file.server.ts";
import type { FileStore } from "./store.server.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

const folder = ownFolder();
let store: FileStore;
const resume: ServedFile = {
  bucket: "resumes",
  path: "asha/1.pdf",
  mimeType: "application/pdf",
  originalName: "Asha Rao.pdf",
  showable: true,
};

beforeAll(async () => {
  store = createDiskStore(join(folder, "files"));
  await fs.writeFile(join(folder, "upload"), "0123456789");
  await store.put("resumes", "asha/1.pdf", join(folder, "upload"));
});

function get(headers: Record<string, string> = {}, file = resume, method = "GET") {
  const request = new Request("http://localhost/storage/resumes/asha/1.pdf", { method, headers });
  return serveFile(request, store, file);
}

test("a PDF is shown inline, private and without sniffing", async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("0123456789");
  expect(Object.fromEntries(response.headers)).toEqual({
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": `inline; filename="Asha Rao.pdf"; filename*=UTF-8''Asha%20Rao.pdf`,
    "content-length": "10",
    "content-security-policy": "frame-ancestors 'self'",
    "content-type": "application/pdf",
    etag: expect.stringMatching(/^"[\w-]{27}"$/),
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
  });
});

test("an image is shown inline in a sandbox", async () => {
  const { headers } = await get({}, { ...resume, mimeType: "image/webp" });
  expect(headers.get("Content-Type")).toBe("image/webp");
  expect(headers.get("Content-Disposition")).toMatch(/^inline;/);
  expect(headers.get("Content-Security-Policy")).toMatch(/^sandbox; default-src 'none';/);
});

test.each(["text/html", "image/svg+xml", "application/pdf", "application/msword", "image/png"])(
  "a file of type %s that may not be shown is a download",
  async (mimeType) => {
    const { headers } = await get({}, { ...resume, mimeType, showable: false });
    expect(headers.get("Content-Type")).toBe("application/octet-stream");
    expect(headers.get("Content-Disposition")).toMatch(/^attachment;/);
    expect(headers.get("Content-Security-Policy")).toMatch(/^sandbox; default-src 'none';/);
  },
);

test.each([
  ["bytes=0-0", "0", "bytes 0-0/10"],
  ["bytes=2-4", "234", "bytes 2-4/10"],
  ["bytes=7-", "789", "bytes 7-9/10"],
  ["bytes=-3", "789", "bytes 7-9/10"],
  ["bytes=-99", "0123456789", "bytes 0-9/10"],
  ["bytes=5-999999999999999999999", "56789", "bytes 5-9/10"],
])("the range %s returns %j", async (range, text, contentRange) => {
  const response = await get({ Range: range });
  expect(response.status).toBe(206);
  expect(await response.text()).toBe(text);
  expect(response.headers.get("Content-Range")).toBe(contentRange);
  expect(response.headers.get("Content-Length")).toBe(String(text.length));
});

test.each(["bytes=10-", "bytes=10-20", "bytes=-0"])("the range %s is refused", async (range) => {
  const response = await get({ Range: range });
  expect(response.status).toBe(416);
  expect(response.headers.get("Content-Range")).toBe("bytes */10");
  expect(await response.text()).toBe("");
});

test.each(["bytes=0-1,4-5", "bytes=4-2", "bytes=-", "bytes=a-b", "lines=1-2"])(
  "the range %s returns the entire file",
  async (range) => {
    const response = await get({ Range: range });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("0123456789");
  },
);

test("a cached file is answered with 304", async () => {
  const tag = (await get()).headers.get("ETag")!;
  for (const known of [tag, `"other", W/${tag}`, "*"]) {
    const response = await get({ "If-None-Match": known });
    expect(response.status).toBe(304);
    expect(response.headers.get("ETag")).toBe(tag);
    expect(response.headers.get("Content-Length")).toBeNull();
  }
  expect((await get({ "If-None-Match": '"other"' })).status).toBe(200);
});

test("a download resumes only if the file is unchanged", async () => {
  const tag = (await get()).headers.get("ETag")!;
  expect((await get({ Range: "bytes=5-", "If-Range": tag })).status).toBe(206);
  expect((await get({ Range: "bytes=5-", "If-Range": '"other"' })).status).toBe(200);
});

test("HEAD returns only headers", async () => {
  const response = await get({ Range: "bytes=2-4" }, resume, "HEAD");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Length")).toBe("10");
  expect(response.body).toBeNull();
});

test.each([
  ["मेरा काम.pdf", "____ ___.pdf", "%E0%A4%AE%E0%A5%87%E0%A4%B0%E0%A4%BE%20%E0%A4%95"],
  [`a"b\\c/d\r\nX: y.pdf`, "a_bcdX: y.pdf", "a%22bcdX%3A%20y.pdf"],
  ["100% (it's *final*).pdf", "100_ (it's *final*).pdf", "100%25%20%28it%27s%20%2Afinal%2A%29"],
  ["fdp\u202e.exe", "fdp.exe", "fdp.exe"],
  ["half \ud83d pair.pdf", "half _ pair.pdf", "half%20%EF%BF%BD%20pair.pdf"],
  ["", "file", "file"],
])("the name %j is safe in a header", async (originalName, ascii, encoded) => {
  const { headers } = await get({}, { ...resume, originalName });
  const disposition = headers.get("Content-Disposition")!;
  expect(disposition).toContain(`; filename="${ascii}"; filename*=UTF-8''${encoded}`);
});

test("a missing file is not found, a damaged one is an error", async () => {
  await expect(get({}, { ...resume, path: "asha/2.pdf" })).rejects.toThrow(NotFound);
  await expect(get({}, { ...resume, size: 11 })).rejects.toThrow("has 10 bytes, not 11");
  expect((await get({}, { ...resume, size: 10 })).status).toBe(200);
});
