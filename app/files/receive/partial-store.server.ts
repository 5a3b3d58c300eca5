import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";

/**
 * Where files lie while they arrive. It writes a chunk at a time, and gives its memory back at once: left
 * to the garbage collector, what twenty files have brought is a hundred megabytes before it looks.
 */
export class PartialStore extends FileStore {
  constructor(folder: string) {
    super({ directory: folder });
    // Of a length that is told later, or of several parts, nothing could be checked beforehand.
    this.extensions = ["creation", "creation-with-upload", "termination"];
    this.#folder = folder;
  }

  readonly #folder: string;

  /** Writes what comes behind `offset`, and says where it ends. */
  override async write(chunks: Readable, key: string, offset: number): Promise<number> {
    const file = await open(join(this.#folder, key), "r+");
    let end = offset;
    try {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        await writeWhole(file, chunk, end);
        end += chunk.length;
        release(chunk);
      }
      return end;
    } finally {
      await file.close();
    }
  }
}

async function writeWhole(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}

/** Only what is all of its memory: a small chunk may be a part of what others use. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
