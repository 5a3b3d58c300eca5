import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { s3Service } from "../../tests/support/servers/s3.ts";
import { openLeases } from "../platform/leases.server.ts";
import { createDiskStore } from "./disk-store.server.ts";
import { listCustomerPaths } from "./names.server.ts";
import { type Area, areas, type Bucket } from "./rules.ts";
import { openObjects, createS3Store } from "./s3-store.server.ts";
import { type OpenFile, saveUnderFreePath } from "./store.server.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

const { db } = await testDatabase();
const s3 = await s3Service();
const folder = ownFolder();
afterAll(() => s3.close());

const stores = {
  "on disk": createDiskStore(join(folder, "files")),
  "over S3": createS3Store(openObjects(s3.settings), openLeases(db)),
};

/** Requirements for every store. */
describe.each(Object.entries(stores))("%s", (_where, store) => {
  beforeEach(async () => {
    for (const area of areas)
      for await (const { path } of store.list(area)) await store.delete(area, path);
  });

  async function local(content: string): Promise<string> {
    const path = join(folder, `upload-${randomUUID()}`);
    await fs.writeFile(path, content);
    return path;
  }

  async function textOf(file: OpenFile | null): Promise<string | null> {
    return file && new Response(file.stream).text();
  }

  async function pathsIn(area: Area, folder?: string): Promise<string[]> {
    const paths: string[] = [];
    for await (const { path } of store.list(area, folder)) paths.push(path);
    return paths.toSorted();
  }

  test("a stored file is complete, and its source stays", async () => {
    const source = await local("ten letters");
    expect(await store.put("resumes", "asha/1.pdf", source)).toBe(true);
    expect(await textOf(await store.open("resumes", "asha/1.pdf"))).toBe("ten letters");
    expect(await store.stat("resumes", "asha/1.pdf")).toMatchObject({ size: 11 });
    expect(await fs.readFile(source, "utf8")).toBe("ten letters");
  });

  test("a taken path is not overwritten", async () => {
    await store.put("resumes", "asha/1.pdf", await local("first"));
    expect(await store.put("resumes", "asha/1.pdf", await local("second"))).toBe(false);
    expect(await textOf(await store.open("resumes", "asha/1.pdf"))).toBe("first");
  });

  test("files stored in the same millisecond get different paths", async () => {
    const now = new Date(1_767_600_000_000);
    const sources = await Promise.all(["one", "two", "three", "four"].map(local));
    const paths = await Promise.all(
      sources.map((source) =>
        saveUnderFreePath(store, "resumes", listCustomerPaths("asha", now, "pdf"), source),
      ),
    );
    expect(new Set(paths).size).toBe(4);
    const contents = paths.map(async (path) => textOf(await store.open("resumes", path)));
    expect(await Promise.all(contents)).toEqual(["one", "two", "three", "four"]);
  });

  test("a range returns only its bytes, up to the end", async () => {
    await store.put("portfolios", "asha/1.pdf", await local("0123456789"));
    const middle = await store.open("portfolios", "asha/1.pdf", { start: 2, end: 4 });
    expect(middle).toMatchObject({ size: 10, start: 2, end: 4 });
    expect(await textOf(middle)).toBe("234");
    const beyond = await store.open("portfolios", "asha/1.pdf", { start: 8, end: 99 });
    expect(beyond).toMatchObject({ start: 8, end: 9 });
    expect(await textOf(beyond)).toBe("89");
    await expect(store.open("portfolios", "asha/1.pdf", { start: 10, end: 12 })).rejects.toThrow(
      RangeError,
    );
  });

  test("an empty file can be stored and read", async () => {
    await store.put("review-files", "reviews/r1/files/empty.txt", await local(""));
    const file = await store.open("review-files", "reviews/r1/files/empty.txt");
    expect(file).toMatchObject({ size: 0, start: 0, end: -1 });
    expect(await textOf(file)).toBe("");
  });

  test("a missing file is not found", async () => {
    expect(await store.open("resumes", "asha/1.pdf")).toBeNull();
    expect(await store.stat("resumes", "asha/1.pdf")).toBeNull();
    expect(await store.delete("resumes", "asha/1.pdf")).toBe(false);
    await store.put("resumes", "asha/1.pdf", await local("x"));
    expect(await store.open("resumes", "asha")).toBeNull();
    expect(await store.open("resumes", "asha/1.pdf/2.pdf")).toBeNull();
  });

  test("a deleted file's path is free again", async () => {
    await store.put("resumes", "asha/1.pdf", await local("x"));
    expect(await store.delete("resumes", "asha/1.pdf")).toBe(true);
    expect(await store.stat("resumes", "asha/1.pdf")).toBeNull();
    expect(await store.put("resumes", "asha/1.pdf", await local("y"))).toBe(true);
  });

  test("a bucket lists only its own files, including nested ones", async () => {
    await store.put("review-files", "reviews/r1/files/मेरा-काम.pdf", await local("x"));
    await store.put("review-files", "reviews/r2/files/b.zip", await local("xy"));
    await store.put("resumes", "asha/1.pdf", await local("x"));
    expect(await pathsIn("review-files")).toEqual([
      "reviews/r1/files/मेरा-काम.pdf",
      "reviews/r2/files/b.zip",
    ]);
    expect(await pathsIn("portfolios")).toEqual([]);
  });

  test("derived files have their own area and folders", async () => {
    await store.put("derived", "pages/one/1/1-0-large.webp", await local("x"));
    await store.put("derived", "pages/one-more/1/1-0-large.webp", await local("x"));
    expect(await pathsIn("derived", "pages/one")).toEqual(["pages/one/1/1-0-large.webp"]);
    expect(await pathsIn("derived", "pages/none")).toEqual([]);
    expect(await pathsIn("derived")).toHaveLength(2);
    expect(await pathsIn("resumes")).toEqual([]);
    expect(await textOf(await store.open("derived", "pages/one/1/1-0-large.webp"))).toBe("x");
  });

  test.each(["../secret", "a/../../secret", "/etc/passwd", "", "a\u0000b", ".unfinished/x"])(
    "the path %j finds no file",
    async (path) => {
      await fs.writeFile(join(folder, "secret"), "secret");
      expect(await store.open("resumes", path)).toBeNull();
      expect(await store.delete("resumes", path)).toBe(false);
      await expect(store.put("resumes", path, await local("x"))).rejects.toThrow("Not a path");
    },
  );

  test("an unknown bucket does not exist", async () => {
    const bucket = ".." as Bucket;
    expect(await store.open(bucket, "files/x")).toBeNull();
    await expect(store.put(bucket, "x", await local("x"))).rejects.toThrow("Not a path");
  });

  test("a reader who stops early closes the file", async () => {
    await store.put("resumes", "asha/1.pdf", await local("x".repeat(1_000_000)));
    const file = await store.open("resumes", "asha/1.pdf");
    const reader = file!.stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(await store.delete("resumes", "asha/1.pdf")).toBe(true);
  });
});
