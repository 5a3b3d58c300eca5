import type { DataStore } from "@tus/server";

/**
 * Where files are while they arrive, each under its key, `<user id>/<upload id>`. Another person's is
 * therefore not there, whatever id is asked for.
 */
export type Partials = {
  /** What the tus server writes to, and reads from how far an upload has come. */
  tus: DataStore;
  /** How many uploads a person has begun and not finished, leaving out those untouched since then. */
  countOpen(uploaderId: string, touchedSince: Date): Promise<number>;
  /** How many bytes a person's unfinished uploads will have when they are whole. */
  declaredBytes(uploaderId: string): Promise<number>;
  /** Does work with an upload that is whole, as a local file that may be changed. */
  withFile<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result>;
  /** Does work with the path of a local file that is not there yet, and is gone afterwards. */
  withRoom<Result>(
    key: string,
    bytes: number,
    work: (path: string) => Promise<Result>,
  ): Promise<Result>;
  /** Removes what nobody has touched since then, and tells how many files that were. */
  removeStale(before: Date): Promise<number>;
};

/**
 * Gives the memory of a chunk back at once: left to the garbage collector, what twenty files have brought is
 * a hundred megabytes before it looks. Only what is all of its memory: a small chunk may be a part of what
 * others use.
 */
export function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/**
 * What can be asked of a store of partial files: of a length that is told later, or of several parts,
 * nothing could be checked beforehand.
 */
export const tusExtensions = ["creation", "creation-with-upload", "termination"];
