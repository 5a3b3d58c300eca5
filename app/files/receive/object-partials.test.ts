import * as fs from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSpool } from "./object-partials.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

const folder = ownFolder();

test("what a process left when it died is gone at the next start", async () => {
  await fs.writeFile(join(folder, "left"), "x");
  await openSpool(folder, 10);
  expect(await fs.readdir(folder)).toEqual([]);
});

test("a file is gone once the work with it is done, or failed", async () => {
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

test("what has no room waits in turn, and what is too large for it works alone", async () => {
  const spool = await openSpool(folder, 10);
  const begun: number[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const all = [6, 4, 3, 20, 1].map((bytes) =>
    spool.use(bytes, async () => {
      begun.push(bytes);
      await opened;
    }),
  );
  await expect.poll(() => begun).toEqual([6, 4]);
  open();
  await Promise.all(all);
  expect(begun).toEqual([6, 4, 3, 20, 1]);
});
