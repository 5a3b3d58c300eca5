import { getErrorCode, Unavailable } from "../platform/errors.ts";
import { recordUse } from "../platform/metrics.server.ts";
import type { Area } from "./rules.ts";

/**
 * The store for finished files. Files never change: a path is written once and later only deleted. Paths
 * satisfy `isSafePath`; any other is a bug in `put`, and missing otherwise.
 */
export type FileStore = {
  /**
   * Copies a finished local file in: whole or not at all, and kept when the promise resolves. The
   * source stays where it is. False when the path is taken.
   */
  put: (area: Area, path: string, sourceFilePath: string) => Promise<boolean>;
  /** Null when there is no such file. The stream must be read to its end or cancelled. */
  open: (area: Area, path: string, range?: ByteRange) => Promise<OpenFile | null>;
  stat: (area: Area, path: string) => Promise<FileFacts | null>;
  /** False when there was no such file. */
  delete: (area: Area, path: string) => Promise<boolean>;
  /** Every file of an area, or of a folder in it, in no particular order. */
  list: (area: Area, folder?: string) => AsyncIterable<FileFacts & { path: string }>;
  /** Removes what interrupted puts that began before then have left, and returns how many. */
  deleteUnfinished: (before: Date) => Promise<number>;
};

/** Positions of bytes, the last one included. */
export type ByteRange = { start: number; end: number };

/** `size` is that of the whole file, in bytes. */
export type FileFacts = { size: number; modifiedAt: Date };

/** `start` and `end` (included) tell which bytes the stream gives; `end` is -1 for an empty file. */
export type OpenFile = FileFacts & ByteRange & { stream: ReadableStream<Uint8Array> };

/** Puts a file under the first of the paths that is free, and gives that path. */
export async function saveUnderFreePath(
  store: FileStore,
  area: Area,
  paths: Iterable<string>,
  sourceFilePath: string,
): Promise<string> {
  for (const path of paths) {
    if (await store.put(area, path, sourceFilePath)) return path;
  }
  throw new Error(`Every path offered for a file in ${area} is taken.`);
}

/** The store as it is, with a note of whether it worked at its last use. */
export function createMeasuredStore(store: FileStore): FileStore {
  return {
    put: (...asked) => measureStoreUse(store.put(...asked)),
    open: (...asked) => measureStoreUse(store.open(...asked)),
    stat: (...asked) => measureStoreUse(store.stat(...asked)),
    delete: (...asked) => measureStoreUse(store.delete(...asked)),
    list: (...asked) => store.list(...asked),
    deleteUnfinished: (...asked) => measureStoreUse(store.deleteUnfinished(...asked)),
  };
}

async function measureStoreUse<Made>(use: Promise<Made>): Promise<Made> {
  try {
    const made = await use;
    recordUse("store", null);
    return made;
  } catch (error) {
    // The message may contain a private file name.
    const why = error instanceof Unavailable ? error.why : getErrorCode(error);
    recordUse("store", why ?? (error as Error).name);
    throw error;
  }
}
