import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { stopClock } from "../../tests/support/product/stop-clock.ts";
import { people } from "../../tests/support/rows/people.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { contactsPerDay, countContactView } from "./contact-limit.server.ts";

const { db } = await testDatabase();
const who = await people(db);
const counting = { db, config: testConfig() };
const view = (actor: Actor, id: string) => countContactView(counting, actor, id);
const { max } = contactsPerDay;

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
  expect(seen.length).toBeGreaterThanOrEqual(max);
  const allowed = await Promise.all(ids.map((id) => view(who.sonia, id)));
  expect(allowed.filter(Boolean)).toHaveLength(max);
});

test("staff of the board have no limit", async () => {
  for (const actor of [who.gita, who.devi])
    for (let number = 0; number <= max; number++)
      expect(await view(actor, randomUUID())).toBe(true);
});
