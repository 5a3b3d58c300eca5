import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { diskStore } from "./disk-store.server.ts";
import type { Bucket } from "./rules.ts";
import type { FileStore } from "./store.server.ts";

let folder: string;
let root: string;
let store: FileStore;

beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), "naksha-store-"));
  root = join(folder, "files");
  store = diskStore(root);
});

afterEach(() => fs.rm(folder, { recursive: true }));

async function local(content: string): Promise<string> {
  const path = join(folder, `upload-${Math.random()}`);
  await fs.writeFile(path, content);
  return path;
}

async function pathsIn(bucket: Bucket): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of store.list(bucket)) paths.push(path);
  return paths.toSorted();
}

test("what was put leaves nothing beside it", async () => {
  await store.put("resumes", "asha/1.pdf", await local("x"));
  expect(await fs.readdir(join(root, ".unfinished"))).toEqual([]);
});

test("a link inside a bucket is not followed", async () => {
  const outside = join(folder, "outside");
  await fs.mkdir(outside);
  await fs.writeFile(join(outside, "1.pdf"), "secret");
  await store.put("resumes", "asha/1.pdf", await local("x"));
  await fs.symlink(outside, join(root, "resumes", "ravi"));
  await fs.symlink(join(outside, "1.pdf"), join(root, "resumes", "asha", "2.pdf"));

  expect(await store.open("resumes", "ravi/1.pdf")).toBeNull();
  expect(await store.open("resumes", "asha/2.pdf")).toBeNull();
  await expect(store.put("resumes", "ravi/3.pdf", await local("x"))).rejects.toThrow("folder");
  expect(await fs.readdir(outside)).toEqual(["1.pdf"]);
  expect(await pathsIn("resumes")).toEqual(["asha/1.pdf"]);
});

test("a put that fails leaves nothing", async () => {
  await expect(store.put("resumes", "asha/1.pdf", join(folder, "missing"))).rejects.toThrow(
    "ENOENT",
  );
  expect(await pathsIn("resumes")).toEqual([]);
  expect(await fs.readdir(join(root, ".unfinished"))).toEqual([]);
});

test("what an interrupted put left is removed once it is old", async () => {
  await fs.mkdir(join(root, ".unfinished"), { recursive: true });
  await fs.writeFile(join(root, ".unfinished", "half"), "x");
  expect(await store.deleteUnfinished(new Date(Date.now() - 60_000))).toBe(0);
  expect(await store.deleteUnfinished(new Date(Date.now() + 60_000))).toBe(1);
});
