import { inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Database, isUuid } from "../platform/database.server.ts";
import type { Area } from "./rules.ts";
import type { FileFacts, FileStore } from "./store.server.ts";

/** The batch size, since a statement takes about 65,000 values. */
const batchSize = 500;

type Sweep = {
  area: Area;
  folder?: string;
  /** Decides about a file: to keep it, delete it, or delete it unless the thing with this key exists. */
  decide: (file: FileFacts & { path: string }) => "keep" | "delete" | { key: string };
  /** Returns the keys whose things exist. */
  listKnown: (keys: string[]) => Promise<Set<string>>;
};

/** Deletes unneeded files of a store in batches. @returns the number of deleted files */
export async function sweepStore(
  store: FileStore,
  { area, folder, decide, listKnown }: Sweep,
): Promise<number> {
  const pathsByKey = new Map<string, string[]>();
  let deleted = 0;
  const remove = async (path: string) => {
    if (await store.delete(area, path)) deleted++;
  };
  const removeUnknown = async () => {
    const knownKeys = await listKnown([...pathsByKey.keys()]);
    for (const [key, paths] of pathsByKey)
      if (!knownKeys.has(key)) for (const path of paths) await remove(path);
    pathsByKey.clear();
  };
  for await (const file of store.list(area, folder)) {
    const decision = decide(file);
    if (decision === "delete") await remove(file.path);
    if (typeof decision === "string") continue;
    pathsByKey.set(decision.key, [...(pathsByKey.get(decision.key) ?? []), file.path]);
    if (pathsByKey.size >= batchSize) await removeUnknown();
  }
  await removeUnknown();
  return deleted;
}

/** Returns the ids that exist in a table, by its id column. */
export async function listKnownIds(
  db: Database,
  id: PgColumn,
  ids: string[],
): Promise<Set<string>> {
  const rows = await db
    .select({ id })
    .from(id.table)
    .where(inArray(id, ids.filter(isUuid)));
  return new Set(rows.map((row) => row.id as string));
}
