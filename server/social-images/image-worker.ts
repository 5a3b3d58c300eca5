import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { cacheReads } from "../../app/platform/metrics.server.ts";
import { hashSocialCard, type SocialCard } from "../../app/ui/meta.ts";

export type ImageWorker = {
  /**
   * The image of a card as PNG, drawn once and cached while it is asked for.
   *
   * @throws {TooBusy} when too many others wait.
   */
  draw(card: SocialCard): Promise<Buffer>;
  close(): Promise<void>;
};

/** Thrown when too many drawings wait already; the client may come back. */
export class TooBusy extends Error {}

/** About 60 KB each. */
const mostCached = 200;
const mostWaiting = 30;
const idleMs = 60_000;

type Order = {
  card: SocialCard;
  resolve(png: Buffer): void;
  reject(error: Error): void;
};

/**
 * Draws preview images in a separate thread, one at a time, so that a crawler neither blocks pages nor takes
 * more than one core. The thread starts with the first order and ends after a minute without one.
 */
export function createImageWorker(productName: string): ImageWorker {
  const cached = new Map<string, Promise<Buffer>>();
  const waiting: Order[] = [];
  let worker: Worker | null = null;
  let current: Order | null = null;
  let idle: NodeJS.Timeout | undefined;

  function next(): void {
    if (current) return;
    current = waiting.shift() ?? null;
    if (!current) {
      clearTimeout(idle);
      idle = setTimeout(() => void stop(), idleMs).unref();
      return;
    }
    clearTimeout(idle);
    try {
      worker ??= start();
      worker.postMessage({ card: current.card, productName }, []);
    } catch (error) {
      // A computer that has no thread left says so here.
      finish(({ reject }) => reject(error as Error));
    }
  }

  /** Ends the order that was worked on, and goes on with the next. */
  function finish(end: (order: Order) => void): void {
    if (current) end(current);
    current = null;
    next();
  }

  function start(): Worker {
    const started = new Worker(resolve("server/social-images/worker.ts"));
    started.unref();
    started.on("message", ({ png, problem }: { png?: Uint8Array; problem?: string }) =>
      finish(({ resolve: give, reject }) =>
        png
          ? give(Buffer.from(png.buffer, png.byteOffset, png.byteLength))
          : reject(new Error(problem)),
      ),
    );
    started.on("error", (error) => lose(started, error));
    started.on("exit", () => lose(started, new Error("The drawing thread ended.")));
    return started;
  }

  /** The next order gets a new thread. */
  function lose(lost: Worker, error: unknown): void {
    if (worker !== lost) return;
    worker = null;
    finish(({ reject }) => reject(error instanceof Error ? error : new Error(String(error))));
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  }

  function order(card: SocialCard): Promise<Buffer> {
    if (waiting.length >= mostWaiting) return Promise.reject(new TooBusy());
    return new Promise((done, reject) => {
      waiting.push({ card, resolve: done, reject });
      next();
    });
  }

  return {
    draw(card) {
      const version = hashSocialCard(card, productName);
      const known = cached.get(version);
      cacheReads.inc({ cache: "images", result: known ? "hit" : "miss" });
      const image = known ?? order(card);
      // Put last: what was not asked for the longest is first, and goes first.
      cached.delete(version);
      cached.set(version, image);
      if (cached.size > mostCached) cached.delete(cached.keys().next().value!);
      image.catch(() => cached.get(version) === image && cached.delete(version));
      return image;
    },
    async close() {
      clearTimeout(idle);
      const closed = new Error("The app is shutting down.");
      for (const { reject } of [...waiting.splice(0), ...(current ? [current] : [])])
        reject(closed);
      current = null;
      await stop();
    },
  };
}
