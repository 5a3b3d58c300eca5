import type { FileHandle } from "node:fs/promises";

/** Reads at most `length` bytes from `position`; fewer only at the end of the file. */
export async function readAt(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

const windowSize = 128 * 1024;

/**
 * The file from `from` to its end, as windows of which each repeats the last `overlap` bytes of
 * the one before, so that what is searched and not longer than that is whole in one of them.
 */
export async function* windows(
  file: FileHandle,
  from: number,
  overlap: number,
): AsyncGenerator<{ bytes: Buffer<ArrayBuffer>; position: number }> {
  for (let position = from; ; position += windowSize - overlap) {
    const bytes = await readAt(file, position, windowSize);
    if (bytes.length > 0) yield { bytes, position };
    if (bytes.length < windowSize) return;
  }
}
