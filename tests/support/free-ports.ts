import { createServer } from "node:net";

/** Below those of embedded databases, and of the system's outgoing connections. */
const ports = { lowest: 10_000, count: 9_000 };

/** The first of `count` neighbouring ports that are free now. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = ports.lowest + Math.floor(Math.random() * ports.count);
    const free = await Promise.all(
      Array.from({ length: count }, (_, turn) => isFree(first + turn)),
    );
    if (free.every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}
