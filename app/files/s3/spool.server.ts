import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Room on the local disk for what passes through: so much at once and no more. */
export type Spool = {
  /**
   * Does work with the path of a file that is not there yet and may have so many bytes. Waits until there
   * is room, in turn; the file is gone afterwards. Work must not ask for more room.
   */
  use<Result>(bytes: number, work: (path: string) => Promise<Result>): Promise<Result>;
};

/**
 * Empties a folder that is this process's own, and keeps room in it.
 *
 * @param most bytes at once; what is larger than that has it to itself.
 */
export async function openSpool(folder: string, most: number): Promise<Spool> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const waiting: { bytes: number; enter: () => void }[] = [];
  let used = 0;

  function admit(): void {
    for (let [next] = waiting; next; [next] = waiting) {
      if (used > 0 && used + next.bytes > most) return;
      waiting.shift();
      used += next.bytes;
      next.enter();
    }
  }

  return {
    async use(bytes, work) {
      await new Promise<void>((enter) => {
        waiting.push({ bytes, enter });
        admit();
      });
      const path = join(folder, randomUUID());
      try {
        return await work(path);
      } finally {
        await rm(path, { force: true });
        used -= bytes;
        admit();
      }
    },
  };
}
