import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { cacheReads } from "../../app/platform/metrics.server.ts";
import { hashSocialCard, type SocialCard } from "../../app/ui/meta.ts";

type ImageWorker = {
  /**
   * Draws a card as PNG and caches it, until less recently used cards push it out.
   *
   * @throws {TooBusy} if too many drawings are waiting.
   */
  draw(card: SocialCard): Promise<Buffer>;
  close(): Promise<void>;
};

/** Thrown if too many drawings are waiting; the client can retry. */
export class TooBusy extends Error {}

/** Each cached image takes about 60 KB. */
const maxCached = 200;
const maxWaiting = 30;
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
      // Starting a thread fails here if the system has none left.
      finish(({ reject }) => reject(error as Error));
    }
  }

  /** Settles the current order and starts the next. */
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
    started.on("error", (error) => handleWorkerEnd(started, error));
    started.on("exit", () => handleWorkerEnd(started, new Error("The drawing thread ended.")));
    return started;
  }

  /** Fails the current order. The next one gets a new thread. */
  function handleWorkerEnd(ended: Worker, error: unknown): void {
    if (worker !== ended) return;
    worker = null;
    finish(({ reject }) => reject(error instanceof Error ? error : new Error(String(error))));
  }

  async function stop(): Promise<void> {
    const stopped = worker;
    worker = null;
    await stopped?.terminate();
  }

  function order(card: SocialCard): Promise<Buffer> {
    if (waiting.length >= maxWaiting) return Promise.reject(new TooBusy());
    return new Promise((done, reject) => {
      waiting.push({ card, resolve: done, reject });
      next();
    });
  }

  return {
    draw(card) {
      const version = hashSocialCard(card, productName);
      const cachedImage = cached.get(version);
      cacheReads.inc({ cache: "images", result: cachedImage ? "hit" : "miss" });
      const image = cachedImage ?? order(card);
      // Moved to the end, so that the least recently used image is evicted first.
      cached.delete(version);
      cached.set(version, image);
      if (cached.size > maxCached) cached.delete(cached.keys().next().value!);
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
