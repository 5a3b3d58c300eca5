import { randomUUID } from "node:crypto";

/** Creates and checks the paths of uploaded files. The server chooses every path. */

const maxNameCharacters = 120;
/** A file system allows 255 bytes, and a random id of 36 comes before the name. */
const maxNameBytes = 200;
const maxPathBytes = 900;

const safeSegment = /^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*$/u;
const unsafeCharacters = /[^\p{L}\p{M}\p{N}._-]/gu;

/** Checks whether a path stays inside its bucket, without "..", hidden or empty segments. */
export function isSafePath(path: string): boolean {
  if (Buffer.byteLength(path) > maxPathBytes) return false;
  return path
    .split("/")
    .every((segment) => safeSegment.test(segment) && Buffer.byteLength(segment) <= 255);
}

/**
 * Lists paths for a customer's file, `<user id>/<milliseconds>.<extension>`. If a path is taken, the next millisecond
 * is used.
 */
export function* listCustomerPaths(
  userId: string,
  now: Date,
  extension: string,
): Generator<string, void> {
  for (let offset = 0; offset < 1000; offset++) {
    yield `${userId}/${now.getTime() + offset}.${extension}`;
  }
}

/**
 * Creates a new path for a screenshot.
 *
 * @param extension of the type detected in the bytes, added to a name with another one
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

/** Creates a new path for a file that a reviewer attaches. */
export function createReviewFilePath(reviewId: string, originalName: string): string {
  return `reviews/${reviewId}/files/${randomUUID()}-${cleanName(originalName)}`;
}

/**
 * Converts the name of an uploaded file to a path segment. Spaces become hyphens, characters that are unsafe in a path
 * or address are dropped, and letters of every script stay. A long name keeps its extension.
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
  let short = "";
  for (const character of stem) {
    const longer = short + character + extension;
    if (longer.length > maxNameCharacters || Buffer.byteLength(longer) > maxNameBytes) break;
    short += character;
  }
  return short;
}
