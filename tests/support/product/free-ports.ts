import { createServer } from "node:net";

/** Below the ports of embedded databases and of outgoing connections. */
const lowest = 10_000;
/** Each worker has its own range, so that no other worker takes a free port first. */
const share = 1_000;
const sharesOfJourneys = 6;

const { VITEST_POOL_ID = "0", TEST_PARALLEL_INDEX } = process.env;
const turn = TEST_PARALLEL_INDEX
  ? sharesOfJourneys + (Number(TEST_PARALLEL_INDEX) % 4)
  : Number(VITEST_POOL_ID) % sharesOfJourneys;
const own = lowest + turn * share;
let next = Math.floor(Math.random() * share);

/** Returns the first of `count` consecutive free ports that this run has not used yet. */
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
