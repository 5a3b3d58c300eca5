import * as fs from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSpool } from "./object-partials.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const folder = ownFolder();

test("files of a dead process are deleted at the next start", async () => {
  await fs.writeFile(join(folder, "left"), "x");
  await openSpool(folder, 10);
  expect(await fs.readdir(folder)).toEqual([]);
});

test("a temporary file is deleted after its work, even a failed one", async () => {
  const spool = await openSpool(folder, 10);
  const read = await spool.use(1, async (path) => {
    await fs.writeFile(path, "x");
    return fs.readFile(path, "utf8");
  });
  expect(read).toBe("x");
  const failing = spool.use(1, async (path) => {
    await fs.writeFile(path, "x");
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(await fs.readdir(folder)).toEqual([]);
});

test("work waits in order for space, and too large work runs alone", async () => {
  const spool = await openSpool(folder, 10);
  const started: number[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const all = [6, 4, 3, 20, 1].map((bytes) =>
    spool.use(bytes, async () => {
      started.push(bytes);
      await opened;
    }),
  );
  await expect.poll(() => started).toEqual([6, 4]);
  open();
  await Promise.all(all);
  expect(started).toEqual([6, 4, 3, 20, 1]);
});
