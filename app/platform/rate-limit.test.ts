import { beforeAll, expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/database.ts";
import { hour, minute, now } from "./clock.ts";
import type { Database } from "./database.server.ts";
import { TooMany } from "./errors.ts";
import { countTry } from "./rate-limit.server.ts";

const limit = { name: "test", max: 3, windowMs: 10 * minute };
let db: Database;

beforeAll(async () => {
  ({ db } = await testDatabase());
});

test("the fourth try is refused with the time to wait, and another subject is not", async () => {
  const on = { db, config: { rateLimits: "on" as const } };
  for (const _try of [1, 2, 3]) await countTry(on, limit, "asha");
  await expect(countTry(on, limit, "asha")).rejects.toThrow(TooMany);
  await expect(countTry(on, limit, "asha")).rejects.toThrow(/Please try again in/);
  await countTry(on, limit, "ravi");
  vi.useFakeTimers({ now: now().getTime() + hour, toFake: ["Date"] });
  await countTry(on, limit, "asha").finally(() => vi.useRealTimers());
});

test("of many tries at the same moment no more than the limit pass", async () => {
  const on = { db, config: { rateLimits: "on" as const } };
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, () => countTry(on, limit, "many")),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test("limits that are off let everything pass", async () => {
  const off = { db, config: { rateLimits: "off" as const } };
  await Promise.all(Array.from({ length: 20 }, () => countTry(off, limit, "load test")));
});
