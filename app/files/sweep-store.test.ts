import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { now } from "../platform/clock.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import type { FileStore } from "./store.server.ts";
import { listKnownIds, sweepStore } from "./sweep-store.server.ts";
import { storedFiles } from "./tables.server.ts";

const { db } = await testDatabase();

test("unneeded files are deleted in batches", async () => {
  const [existing] = await db
    .insert(storedFiles)
    .values({
      bucket: "resumes",
      path: "existing.pdf",
      originalName: "existing.pdf",
      mimeType: "application/pdf",
      size: 1,
      createdAt: now(),
    })
    .returning();
  const ofNobody = Array.from({ length: 66_000 }, () => `made/${randomUUID()}/1.webp`);
  const paths = new Set([
    ...ofNobody,
    `made/${existing!.id}/1.webp`,
    "made/none/1.webp",
    "made/young",
  ]);

  const swept = await sweepStore(storeOf(paths), {
    area: "derived",
    listKnown: (ids) => listKnownIds(db, storedFiles.id, ids),
    decide: ({ path }) => (path.endsWith("young") ? "keep" : { key: path.split("/")[1]! }),
  });

  expect(swept).toBe(66_001);
  expect([...paths]).toEqual([`made/${existing!.id}/1.webp`, "made/young"]);
});

/** Creates a store with these paths, with only the functions that a sweep uses. */
function storeOf(paths: Set<string>): FileStore {
  const store: Pick<FileStore, "list" | "delete"> = {
    async *list() {
      for (const path of paths) yield { path, size: 1, modifiedAt: new Date(0) };
    },
    delete: async (_area, path) => paths.delete(path),
  };
  return store as FileStore;
}
