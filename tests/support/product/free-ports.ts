import { createServer } from "node:net";

/** Below those of embedded databases, and of the system's outgoing connections. */
const lowest = 10_000;
/** What one worker has found free no other may take before it listens: each has ports of its own. */
const share = 1_000;
const sharesOfJourneys = 6;

const { VITEST_POOL_ID = "0", TEST_PARALLEL_INDEX } = process.env;
const turn = TEST_PARALLEL_INDEX
  ? sharesOfJourneys + (Number(TEST_PARALLEL_INDEX) % 3)
  : Number(VITEST_POOL_ID) % sharesOfJourneys;
const own = lowest + turn * share;
let next = Math.floor(Math.random() * share);

/** The first of `count` neighbouring ports that are free now, and given to nobody else of this run. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    if (next + count > share) next = 0;
    const found = own + next;
    next += count;
    const free = await Promise.all(
      Array.from({ length: count }, (_, index) => isFree(found + index)),
    );
    if (free.every(Boolean)) return found;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}
