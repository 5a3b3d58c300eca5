import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { now } from "../platform/clock.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import type { FileStore } from "./store.server.ts";
import { listKnownIds, sweepStore } from "./sweep-store.server.ts";
import { storedFiles } from "./tables.server.ts";

const { db } = await testDatabase();

test("what nothing needs goes, also where it is more than a statement takes", async () => {
  const [kept] = await db
    .insert(storedFiles)
    .values({
      bucket: "resumes",
      path: "kept.pdf",
      originalName: "kept.pdf",
      mimeType: "application/pdf",
      size: 1,
      createdAt: now(),
    })
    .returning();
  const ofNobody = Array.from({ length: 66_000 }, () => `made/${randomUUID()}/1.webp`);
  const paths = new Set([...ofNobody, `made/${kept!.id}/1.webp`, "made/none/1.webp", "made/young"]);

  const swept = await sweepStore(storeOf(paths), {
    area: "derived",
    listKnown: (ids) => listKnownIds(db, storedFiles.id, ids),
    decide: ({ path }) => (path.endsWith("young") ? "keep" : { key: path.split("/")[1]! }),
  });

  expect(swept).toBe(66_001);
  expect([...paths]).toEqual([`made/${kept!.id}/1.webp`, "made/young"]);
});

/** A store that has these paths, as far as a sweep uses one. */
function storeOf(paths: Set<string>): FileStore {
  const store: Pick<FileStore, "list" | "delete"> = {
    async *list() {
      for (const path of paths) yield { path, size: 1, modifiedAt: new Date(0) };
    },
    delete: async (_area, path) => paths.delete(path),
  };
  return store as FileStore;
}
