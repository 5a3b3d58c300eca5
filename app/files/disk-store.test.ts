import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { now } from "../platform/clock.ts";
import { createDiskStore } from "./disk-store.server.ts";
import type { Bucket } from "./rules.ts";
import type { FileStore } from "./store.server.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

let folder: string;
let root: string;
let store: FileStore;

beforeEach(() => {
  folder = ownFolder();
  root = join(folder, "files");
  store = createDiskStore(root);
});

async function local(content: string): Promise<string> {
  const path = join(folder, `upload-${randomUUID()}`);
  await fs.writeFile(path, content);
  return path;
}

async function pathsIn(bucket: Bucket): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of store.list(bucket)) paths.push(path);
  return paths.toSorted();
}

test("a put leaves no temporary file", async () => {
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

test("a failed put leaves nothing", async () => {
  await expect(store.put("resumes", "asha/1.pdf", join(folder, "missing"))).rejects.toThrow(
    "ENOENT",
  );
  expect(await pathsIn("resumes")).toEqual([]);
  expect(await fs.readdir(join(root, ".unfinished"))).toEqual([]);
});

test("the old remains of interrupted puts are deleted", async () => {
  await fs.mkdir(join(root, ".unfinished"), { recursive: true });
  await fs.writeFile(join(root, ".unfinished", "half"), "x");
  expect(await store.deleteUnfinished(new Date(now().getTime() - 60_000))).toBe(0);
  expect(await store.deleteUnfinished(new Date(now().getTime() + 60_000))).toBe(1);
});

test.skipIf(process.platform !== "linux")(
  "a file is open only while it is being read",
  async () => {
    await store.put("resumes", "asha/1.pdf", await local("x".repeat(300_000)));
    const opened = await store.open("resumes", "asha/1.pdf");
    expect(await openFiles()).toEqual([]);
    const reader = opened!.stream.getReader();
    await reader.read();
    expect(await openFiles()).toHaveLength(1);
    await reader.cancel();
    await expect.poll(openFiles).toEqual([]);
    const whole = await store.open("resumes", "asha/1.pdf");
    expect((await new Response(whole!.stream).arrayBuffer()).byteLength).toBe(300_000);
    await expect.poll(openFiles).toEqual([]);
  },
);

/** Lists the store's files that this process has open. */
async function openFiles(): Promise<string[]> {
  const handles = await fs.readdir("/proc/self/fd");
  const links = handles.map((handle) => fs.readlink(`/proc/self/fd/${handle}`).catch(() => ""));
  return (await Promise.all(links)).filter((path) => path.startsWith(root));
}
