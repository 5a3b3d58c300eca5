import { type FileHandle, open } from "node:fs/promises";
import { fileTypeFromBuffer } from "file-type";
import { compoundSignature } from "./compound-file.server.ts";
import { inspectDocx } from "./docx.server.ts";
import { readAt } from "./file-bytes.server.ts";
import { type Finding, flaws } from "./finding.ts";
import { imageKind, inspectImage } from "./image.server.ts";
import { inspectPdf } from "./pdf.server.ts";
import {
  mimeTypes,
  typeProblem,
  type UploadProblem,
  type UploadPurpose,
  uploadRules,
} from "./rules.ts";
import { inspectWordContainer } from "./word.server.ts";

/** `extension` is without a dot, and right for the stored name: the user's own is not to be used. */
export type CheckedContent =
  | { ok: true; mimeType: string; extension: string }
  | ({ ok: false } & UploadProblem);

const headSize = 4100;
const unknownHeadSize = 64 * 1024;

/**
 * Decides by the bytes of a finished local file whether it may be kept for its purpose. Reads a
 * part of it at a time, however large it is; the size is the business of `sizeProblem`.
 *
 * @param originalName as the browser gave it; it never makes a file acceptable.
 */
export async function checkContent(
  purpose: UploadPurpose,
  path: string,
  originalName: string,
): Promise<CheckedContent> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size === 0) return { ok: false, ...typeProblem(purpose, flaws.empty) };
    const { kinds } = uploadRules[purpose];
    if (!kinds) return { ok: true, ...(await anyType(file)) };

    const head = await readAt(file, 0, headSize);
    const finding = await inspect(file, path, size, head, originalName);
    if (!finding || !kinds.includes(finding.kind)) return { ok: false, ...typeProblem(purpose) };
    if (finding.flaw) return { ok: false, ...typeProblem(purpose, finding.flaw) };
    return { ok: true, mimeType: mimeTypes[finding.kind], extension: finding.kind };
  } finally {
    await file.close();
  }
}

/** A file that could be read as two types is the one that its first bytes announce. */
async function inspect(
  file: FileHandle,
  path: string,
  size: number,
  head: Buffer,
  originalName: string,
): Promise<Finding | null> {
  const image = imageKind(head);
  if (image) return inspectImage(file, size, image);
  if (head.toString("latin1", 0, 4) === "PK\x03\x04") return inspectDocx(path, size);
  if (head.subarray(0, 8).equals(compoundSignature)) {
    return inspectWordContainer(file, size, originalName);
  }
  return inspectPdf(file, size, head);
}

async function anyType(file: FileHandle): Promise<{ mimeType: string; extension: string }> {
  const type = await fileTypeFromBuffer(await readAt(file, 0, unknownHeadSize));
  return { mimeType: type?.mime ?? "application/octet-stream", extension: type?.ext ?? "bin" };
}
