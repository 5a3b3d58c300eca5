import { randomUUID } from "node:crypto";

/** The paths of uploaded files inside their buckets. The server chooses every path. */

const maxNameCharacters = 120;
/** A file system allows 255 bytes, and a random id of 36 comes before the name. */
const maxNameBytes = 200;
const maxPathBytes = 900;

const safeSegment = /^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*$/u;
const unsafeCharacters = /[^\p{L}\p{M}\p{N}._-]/gu;

/** Checks whether a path stays inside a bucket: no "..", nothing hidden, nothing empty. */
export function isSafePath(path: string): boolean {
  if (Buffer.byteLength(path) > maxPathBytes) return false;
  return path
    .split("/")
    .every((segment) => safeSegment.test(segment) && Buffer.byteLength(segment) <= 255);
}

/**
 * Paths for a customer's file, `<user id>/<milliseconds>.<extension>`: the next millisecond stands
 * in where one is taken already.
 */
export function* listCustomerPaths(
  userId: string,
  now: Date,
  extension: string,
): Generator<string, void> {
  for (let later = 0; later < 1000; later++) {
    yield `${userId}/${now.getTime() + later}.${extension}`;
  }
}

/**
 * A fresh path for a screenshot.
 *
 * @param extension of the type that was found in the bytes; it is added to a name that has another.
 */
export function createReviewImagePath(
  reviewId: string,
  originalName: string,
  extension: string,
): string {
  const name = cleanName(originalName);
  const has = name
    .toLowerCase()
    .replace(/\.jpeg$/, ".jpg")
    .endsWith(`.${extension}`);
  const full = has ? name : cleanName(`${name}.${extension}`);
  return `reviews/${reviewId}/${randomUUID()}-${full}`;
}

/** A fresh path for a file that a reviewer gives back. */
export function createReviewFilePath(reviewId: string, originalName: string): string {
  return `reviews/${reviewId}/files/${randomUUID()}-${cleanName(originalName)}`;
}

/**
 * The name of an uploaded file as a part of a path: spaces become hyphens, what a path or an
 * address cannot hold is dropped, letters of every script stay, the extension survives shortening.
 */
export function cleanName(originalName: string): string {
  const name = originalName
    .normalize("NFC")
    .replace(/^.*[/\\]/s, "")
    .trim()
    .replace(/\s+/g, "-")
    .replace(unsafeCharacters, "")
    .replace(/^\.+|\.+$/g, "");
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  const stem = name.slice(0, name.length - extension.length);
  return truncateStem(stem || "file", extension) + extension;
}

function truncateStem(stem: string, extension: string): string {
  let kept = "";
  for (const character of stem) {
    const longer = kept + character + extension;
    if (longer.length > maxNameCharacters || Buffer.byteLength(longer) > maxNameBytes) break;
    kept += character;
  }
  return kept;
}
