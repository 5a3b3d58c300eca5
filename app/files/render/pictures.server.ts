import type { FileStore } from "../store.server.ts";
import { type Picture, pictureName, rendererVersion } from "./rendering.ts";

const top = "pages";

/** Where the store keeps a picture, in its area "derived". */
export function picturePath(picture: Picture): string {
  return `${top}/${picture.fileId}/${rendererVersion}/${pictureName(picture)}`;
}

/** Deletes all pictures of a file. @returns how many there were. */
export async function deletePictures(store: FileStore, fileId: string): Promise<number> {
  let deleted = 0;
  for await (const { path } of store.list("derived", `${top}/${fileId}`))
    if (await store.delete("derived", path)) deleted++;
  return deleted;
}

/**
 * Deletes pictures from before then that are of no use: of files that are gone, and of earlier renderers.
 * Those of a newer one are left to it.
 *
 * @param known tells which of the ids are of files that are there
 */
export async function sweepPictures(
  store: FileStore,
  before: Date,
  known: (fileIds: string[]) => Promise<Set<string>>,
): Promise<number> {
  const old = new Map<string, string[]>();
  let swept = 0;
  const sweep = async () => {
    const there = await known([...old.keys()]);
    for (const [fileId, paths] of old)
      for (const path of paths)
        if (!there.has(fileId) && (await store.delete("derived", path))) swept++;
    old.clear();
  };
  for await (const { path, modifiedAt } of store.list("derived", top)) {
    const [, fileId = "", version] = path.split("/");
    if (modifiedAt >= before) continue;
    if (Number(version) < rendererVersion) {
      if (await store.delete("derived", path)) swept++;
      continue;
    }
    old.set(fileId, [...(old.get(fileId) ?? []), path]);
    if (old.size >= 500) await sweep();
  }
  await sweep();
  return swept;
}
