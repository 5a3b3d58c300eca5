import { randomUUID } from "node:crypto";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { createDiskPartials } from "../receive/partials.server.ts";
import { getPicturePath } from "../render/pictures.server.ts";
import { createDiskStore } from "../disk-store.server.ts";
import { storedFiles } from "../tables.server.ts";
import { createFileTasks } from "./file-tasks.server.ts";
import type { StoredFile } from "../receive/admit-upload.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const { db } = await testDatabase();
const root = ownFolder();
const folder = join(root, "uploads");
const store = createDiskStore(join(root, "files"));
const longAgo = new Date(now().getTime() - day - hour);
beforeEach(() => db.delete(storedFiles));

async function run(name: string, unreferenced: StoredFile[] = []): Promise<void> {
  const tasks = createFileTasks({
    store,
    partials: createDiskPartials(folder),
    unreferencedFiles: async () => unreferenced.splice(0, 2),
  });
  await tasks.find((task) => task.name === name)!.run({}, { db, log: createLog("silent") });
}

async function file(path: string, written = now()): Promise<string> {
  await fs.mkdir(join(path, ".."), { recursive: true });
  await fs.writeFile(path, "x");
  await fs.utimes(path, written, written);
  return path;
}

/** Creates an object of this age in the store. */
async function object(path: string, written = longAgo): Promise<string> {
  const source = await file(join(root, randomUUID()));
  await store.put("resumes", path, source);
  await fs.utimes(join(root, "files", "resumes", path), written, written);
  return path;
}

async function row(path: string): Promise<StoredFile> {
  const facts = {
    bucket: "resumes",
    path,
    originalName: "a.pdf",
    mimeType: "application/pdf",
  } as const;
  const [inserted] = await db
    .insert(storedFiles)
    .values({ ...facts, size: 1, createdAt: longAgo })
    .returning();
  return inserted!;
}

async function exists(path: string): Promise<boolean> {
  return (await store.stat("resumes", path)) !== null;
}

test("uploads without activity for a day are deleted", async () => {
  const upload = await file(join(folder, "asha", "one"), longAgo);
  await file(join(folder, "asha", "one.json"), longAgo);
  const resting = await file(join(folder, "ravi", "two"), new Date(now().getTime() - 23 * hour));
  await run("remove-stale-uploads");
  await expect(fs.stat(upload)).rejects.toThrow("ENOENT");
  expect(await fs.readdir(folder)).toEqual(["ravi"]);
  await fs.stat(resting);
});

test("the upload folder may be missing", async () => {
  await fs.rm(folder, { recursive: true, force: true });
  await expect(run("remove-stale-uploads")).resolves.toBeUndefined();
});

test("unreferenced files are deleted with their bytes", async () => {
  const paths = ["asha/1.pdf", "asha/2.pdf", "asha/3.pdf"];
  const rows = await Promise.all(paths.map(async (path) => row(await object(path))));
  const kept = await row(await object("asha/kept.pdf"));
  await run("sweep-files", rows);
  expect(await Promise.all(paths.map(exists))).toEqual([false, false, false]);
  expect(await exists(kept.path)).toBe(true);
  expect(await db.select().from(storedFiles)).toEqual([kept]);
});

test("the pictures of deleted files are deleted", async () => {
  const [gone, kept] = [
    await row(await object("asha/gone.pdf")),
    await row(await object("asha/b.pdf")),
  ];
  const lost = { id: randomUUID() };
  const pictures = await Promise.all([gone, kept, lost].map(({ id }) => picture(id)));
  await run("sweep-files", [gone]);
  const there = await Promise.all(pictures.map((path) => store.stat("derived", path)));
  expect(there.map((facts) => facts !== null)).toEqual([false, true, false]);
});

/** Creates an old picture of a file's page. */
async function picture(fileId: string): Promise<string> {
  const path = getPicturePath({ fileId, page: 1, band: 0, width: "small" });
  await store.put("derived", path, await file(join(root, randomUUID())));
  await fs.utimes(join(root, "files", "derived", path), longAgo, longAgo);
  return path;
}

test("old objects without a row are deleted", async () => {
  await row(await object("asha/recorded.pdf"));
  await object("asha/crashed.pdf");
  await object("asha/just-put.pdf", now());
  await run("sweep-files");
  expect(await exists("asha/recorded.pdf")).toBe(true);
  expect(await exists("asha/crashed.pdf")).toBe(false);
  expect(await exists("asha/just-put.pdf")).toBe(true);
});

test("a database without files doesn't delete all objects", async () => {
  await object("asha/precious.pdf");
  await run("sweep-files");
  expect(await exists("asha/precious.pdf")).toBe(true);
});
