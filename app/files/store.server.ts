import { getErrorCode, Unavailable } from "../platform/errors.ts";
import { recordUse } from "../platform/metrics.server.ts";
import type { Area } from "./rules.ts";

/**
 * The store for finished files. Files never change: a path is written once and later only deleted. For an unsafe path
 * (see `isSafePath`), `put` throws and all other functions find no file.
 */
export type FileStore = {
  /**
   * Copies a finished local file into the store, atomically and durably. Returns false if the path is taken.
   */
  put: (area: Area, path: string, sourceFilePath: string) => Promise<boolean>;
  /** Returns null if the file doesn't exist. The stream must be read to its end or cancelled. */
  open: (area: Area, path: string, range?: ByteRange) => Promise<OpenFile | null>;
  stat: (area: Area, path: string) => Promise<FileFacts | null>;
  /** Returns false if the file didn't exist. */
  delete: (area: Area, path: string) => Promise<boolean>;
  /** Lists every file of an area, or of a folder in it, in no particular order. */
  list: (area: Area, folder?: string) => AsyncIterable<FileFacts & { path: string }>;
  /** Deletes partial files of interrupted puts from before this time, and returns their number. */
  deleteUnfinished: (before: Date) => Promise<number>;
};

/** A range of bytes, including `end`. */
export type ByteRange = { start: number; end: number };

/** `size` is the size of the entire file in bytes. */
export type FileFacts = { size: number; modifiedAt: Date };

/** The stream contains the bytes from `start` to `end`, inclusive. `end` is -1 for an empty file. */
export type OpenFile = FileFacts & ByteRange & { stream: ReadableStream<Uint8Array> };

/** Stores a file under the first free path, and returns that path. */
export async function saveUnderFreePath(
  store: FileStore,
  area: Area,
  paths: Iterable<string>,
  sourceFilePath: string,
): Promise<string> {
  for (const path of paths) {
    if (await store.put(area, path, sourceFilePath)) return path;
  }
  throw new Error(`No free path for a file in ${area}.`);
}

/** Wraps a store to record the result of each use. */
export function createMeasuredStore(store: FileStore): FileStore {
  return {
    put: (...args) => measureStoreUse(store.put(...args)),
    open: (...args) => measureStoreUse(store.open(...args)),
    stat: (...args) => measureStoreUse(store.stat(...args)),
    delete: (...args) => measureStoreUse(store.delete(...args)),
    list: (...args) => store.list(...args),
    deleteUnfinished: (...args) => measureStoreUse(store.deleteUnfinished(...args)),
  };
}

async function measureStoreUse<Result>(use: Promise<Result>): Promise<Result> {
  try {
    const result = await use;
    recordUse("store", null);
    return result;
  } catch (error) {
    // The message may contain a private file name.
    const why = error instanceof Unavailable ? error.why : getErrorCode(error);
    recordUse("store", why ?? (error as Error).name);
    throw error;
  }
}
