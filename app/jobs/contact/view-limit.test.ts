import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { countLockWaits } from "../../../tests/support/product/overlap.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { day, now } from "../../platform/clock.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { maxContactsPerDay, countContactView } from "./view-limit.server.ts";

const { db, ...who } = await testPeople();
const counting = { db, config: testConfig() };
const view = (actor: Actor, id: string) => countContactView(counting, actor, id);
const { max } = maxContactsPerDay;

beforeEach(stopClock);

test("a person sees the contacts of 200 different jobs a day, as often as they like", async () => {
  const ids = Array.from({ length: max }, () => randomUUID());
  for (const id of ids) expect(await view(who.asha, id)).toBe(true);
  const other = randomUUID();
  expect(await view(who.asha, other)).toBe(false);
  // A refused view isn't remembered as seen.
  expect(await view(who.asha, other)).toBe(false);
  expect(await view(who.asha, ids[0]!)).toBe(true);
  expect(await view(who.asha, ids[0]!.toUpperCase())).toBe(true);
  expect(await view(who.ravi, other)).toBe(true);
});

test("views at the same time count once for each job", async () => {
  const ids = Array.from({ length: max + 10 }, () => randomUUID());
  const answers = await Promise.all([...ids, ...ids].map((id) => view(who.sonia, id)));
  const seen = ids.filter((_, index) => answers[index] || answers[index + ids.length]);
  expect(seen).toHaveLength(max);
  const allowed = await Promise.all(ids.map((id) => view(who.sonia, id)));
  expect(allowed.filter(Boolean)).toHaveLength(max);
});

test("parallel views of one job don't pass the limit", async () => {
  const reader = await person(db, "Greedy Reader");
  const key = `${maxContactsPerDay.name}:${reader.id}`;
  const windowStart = new Date(Math.floor(now().getTime() / day) * day);
  await db.insert(rateLimits).values({ key, windowStart, count: max });
  const id = randomUUID();
  const views: Promise<boolean>[] = [];
  let answered = 0;
  const start = () => views.push(view(reader, id).finally(() => (answered += 1)));
  await db.transaction(async (tx) => {
    // The first view waits for this lock with the job marked as seen, while the others ask.
    await tx.update(rateLimits).set({ count: max }).where(eq(rateLimits.key, key));
    start();
    await expect.poll(() => countLockWaits(db)).toBe(1);
    for (let other = 0; other < 5; other++) start();
    await expect.poll(async () => (await countLockWaits(db)) + answered).toBe(6);
  });
  expect(await Promise.all(views)).toEqual(Array(6).fill(false));
});

test("staff of the board have no limit", async () => {
  for (const actor of [who.gita, who.devi])
    for (let number = 0; number <= max; number++)
      expect(await view(actor, randomUUID())).toBe(true);
});
