import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { deleteOldLeases, leaseTime, openLeases } from "./leases.server.ts";
import { leases } from "./tables.server.ts";

const { db } = await testDatabase();
const [here, there] = [openLeases(db), openLeases(db)];
const ignore = () => {};
beforeEach(() => db.delete(leases));

async function expiresIn(name: string): Promise<number> {
  const [row] = await db
    .select({ ms: sql<number>`extract(epoch from expires_at - now())::float8 * 1000` })
    .from(leases)
    .where(eq(leases.name, name));
  return row!.ms;
}

/** Simulates a dead holder whose time has passed. */
async function expire(name: string): Promise<void> {
  await db
    .update(leases)
    .set({ expiresAt: sql`now() - interval '1 ms'` })
    .where(eq(leases.name, name));
}

test("only one caller at a time has a lease", async () => {
  const lease = await here.take("a", ignore);
  expect(await there.take("a", ignore)).toBeNull();
  expect(await here.take("a", ignore)).toBeNull();
  expect(await there.take("b", ignore)).not.toBeNull();
  await lease!.giveBack();
  expect(await there.take("a", ignore)).not.toBeNull();
});

test("one of many concurrent callers gets the lease", async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => here.take("a", ignore)));
  expect(results.filter(Boolean)).toHaveLength(1);
});

test("a lease is renewed while its holder lives", async () => {
  const lease = await here.take("a", ignore);
  await db.update(leases).set({ expiresAt: sql`now() + interval '100 ms'` });
  await expect.poll(() => expiresIn("a")).toBeGreaterThan(leaseTime / 2);
  await lease!.giveBack();
});

test("the holder is notified when another process requests the lease", async () => {
  const onWanted = vi.fn<() => void>();
  const lease = await here.take("a", onWanted);
  await there.askFor("a");
  await there.askFor("a");
  await expect.poll(() => onWanted.mock.calls.length).toBe(1);
  await lease!.giveBack();
  await there.take("a", ignore);
  expect(await db.select({ asked: leases.isAskedFor }).from(leases)).toEqual([{ asked: false }]);
});

test("an expired lease can be taken, and its old holder is notified", async () => {
  const onLost = vi.fn<() => void>();
  const lease = await here.take("a", onLost);
  // The holder may renew it between the two statements.
  await expect.poll(() => expire("a").then(() => there.take("a", ignore))).not.toBeNull();
  await expect.poll(() => onLost.mock.calls.length).toBe(1);
  await lease!.giveBack();
  expect(await here.take("a", ignore)).toBeNull();
});

test("leases of dead processes are deleted", async () => {
  await db.execute(sql`insert into leases (name, holder, expires_at) values
    ('old', gen_random_uuid(), now() - interval '2 hours'), ('new', gen_random_uuid(), now())`);
  await deleteOldLeases(db);
  expect(await db.select({ name: leases.name }).from(leases)).toEqual([{ name: "new" }]);
});
