import type { FileStore } from "./store.server.ts";
import { noteUse } from "../platform/metrics.server.ts";

/** The store as it is, with a note of whether it worked at its last use. */
export function watchedStore(store: FileStore): FileStore {
  return {
    put: (...asked) => watched(store.put(...asked)),
    open: (...asked) => watched(store.open(...asked)),
    stat: (...asked) => watched(store.stat(...asked)),
    delete: (...asked) => watched(store.delete(...asked)),
    list: (...asked) => store.list(...asked),
    deleteUnfinished: (...asked) => watched(store.deleteUnfinished(...asked)),
  };
}

async function watched<Made>(use: Promise<Made>): Promise<Made> {
  try {
    const made = await use;
    noteUse("store", null);
    return made;
  } catch (error) {
    // Its message may name somebody's file.
    const { name, code = name } = error as NodeJS.ErrnoException;
    noteUse("store", code);
    throw error;
  }
}
