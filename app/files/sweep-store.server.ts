import { inArray } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type Database, isUuid } from "../platform/database.server.ts";
import type { Area } from "./rules.ts";
import type { FileFacts, FileStore } from "./store.server.ts";

/** A statement takes no more than some 65,000 values. */
const askedAtOnce = 500;

type Sweep = {
  area: Area;
  folder?: string;
  /** Decides about a file: it stays, it goes, or it goes unless the thing with this key exists. */
  fateOf: (file: FileFacts & { path: string }) => "stays" | "goes" | { key: string };
  /** Tells which of the keys name something that is there. */
  known: (keys: string[]) => Promise<Set<string>>;
};

/** Deletes files of a store that nothing needs any more, however many there are. @returns how many. */
export async function sweepStore(
  store: FileStore,
  { area, folder, fateOf, known }: Sweep,
): Promise<number> {
  const pathsOf = new Map<string, string[]>();
  let swept = 0;
  const remove = async (path: string) => {
    if (await store.delete(area, path)) swept++;
  };
  const removeUnknown = async () => {
    const there = await known([...pathsOf.keys()]);
    for (const [key, paths] of pathsOf)
      if (!there.has(key)) for (const path of paths) await remove(path);
    pathsOf.clear();
  };
  for await (const file of store.list(area, folder)) {
    const fate = fateOf(file);
    if (fate === "goes") await remove(file.path);
    if (typeof fate === "string") continue;
    pathsOf.set(fate.key, [...(pathsOf.get(fate.key) ?? []), file.path]);
    if (pathsOf.size >= askedAtOnce) await removeUnknown();
  }
  await removeUnknown();
  return swept;
}

/** Which of these ids a table has, by the column that holds its own. */
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
