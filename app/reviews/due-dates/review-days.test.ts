import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { array, assert, asyncProperty, constantFrom, nat, tuple } from "fast-check";
import { expect, test } from "vitest";
import { emptyDatabase, testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { day, hour, toIsoDay } from "../../platform/clock.ts";
import { applyMigrations, type Database, openDatabase } from "../../platform/database.server.ts";
import { reviewAssignments, reviewDays, serviceReviews } from "../tables.server.ts";

const { db } = await testDatabase();
const { asha, meera } = await people(db);

const ids = Array.from({ length: 4 }, (_, at) => `00000000-0000-4000-8000-00000000000${at}`);
const maxSteps = 40;
/** A moment of these two weeks. Their hours and minutes differ. */
const toMoment = (step: number) => new Date(Date.parse("2026-09-01T00:00:00Z") + step * 8.3 * hour);

type Target = { id: string; at: Date };

/** Changes to a review, as commands, purges and operators make them. */
const changes = {
  pay: (tx, { id, at }) => pay(tx, { id, createdAt: at, dueAt: new Date(at.getTime() + 2 * day) }),
  payWithoutDate: (tx, { id, at }) => pay(tx, { id, createdAt: at }),
  paySecondLook: async (tx, { id, at }) => {
    const [first] = await tx.select().from(serviceReviews).limit(1);
    await pay(tx, { id, createdAt: at, dueAt: at, secondLookOf: first?.id });
  },
  assign: async (tx, { id, at }) => {
    if ((await tx.$count(serviceReviews, eq(serviceReviews.id, id))) === 0) return;
    const assignment = { reviewId: id, reviewerId: meera.id, assignedAt: at };
    await tx.insert(reviewAssignments).values(assignment).onConflictDoNothing();
  },
  submit: async (tx, { id, at }) => {
    await edit(tx, id, { status: "completed" });
    await complete(tx, id, at);
  },
  completeAssignmentFirst: async (tx, { id, at }) => {
    await complete(tx, id, at);
    await edit(tx, id, { status: "completed" });
  },
  handBack: async (tx, { id }) => {
    await tx.delete(reviewAssignments).where(eq(reviewAssignments.reviewId, id));
    await edit(tx, id, { status: "pending" });
  },
  reopen: async (tx, { id }) => {
    await edit(tx, id, { status: "under_review" });
    await complete(tx, id, null);
  },
  extend: (tx, { id, at }) => edit(tx, id, { extendedTo: at }),
  moveDueDate: (tx, { id, at }) => edit(tx, id, { dueAt: at }),
  removeDueDate: (tx, { id }) => edit(tx, id, { dueAt: null }),
  movePayment: (tx, { id, at }) => edit(tx, id, { createdAt: at }),
  refund: (tx, { id, at }) => edit(tx, id, { withdrawnAt: at }),
  undoRefund: (tx, { id }) => edit(tx, id, { withdrawnAt: null }),
  purge: async (tx, { id }) => {
    await tx.delete(serviceReviews).where(eq(serviceReviews.id, id));
  },
} satisfies Record<string, (tx: Database, target: Target) => Promise<void>>;

async function pay(tx: Database, fields: Partial<typeof serviceReviews.$inferInsert>) {
  if ((await tx.$count(serviceReviews, eq(serviceReviews.id, fields.id!))) === 0)
    await review(tx, asha, fields);
}

async function edit(tx: Database, id: string, fields: Partial<typeof serviceReviews.$inferInsert>) {
  await tx.update(serviceReviews).set(fields).where(eq(serviceReviews.id, id));
}

async function complete(tx: Database, id: string, completedAt: Date | null) {
  await tx.update(reviewAssignments).set({ completedAt }).where(eq(reviewAssignments.reviewId, id));
}

const someChange = tuple(
  constantFrom<(keyof typeof changes)[]>(...(Object.keys(changes) as (keyof typeof changes)[])),
  constantFrom(...ids),
  nat(maxSteps),
);

test("the stored figures are those of the reviews after any changes", async () => {
  await assert(
    asyncProperty(array(array(someChange, { maxLength: 5 }), { maxLength: 20 }), async (steps) => {
      await db.delete(serviceReviews);
      // Most changes matter only to completed reviews.
      for (const [turn, id] of ids.entries())
        for (const change of [changes.pay, changes.assign, changes.submit])
          await change(db, { id, at: toMoment(turn) });
      for (const step of steps) {
        await db.transaction(async (tx) => {
          for (const [change, id, at] of step) await changes[change](tx, { id, at: toMoment(at) });
        });
        expect(await listStoredDays(db)).toEqual(await countDays(db));
      }
    }),
    { numRuns: 60 },
  );
});

test("a change that is undone changes no figure", async () => {
  await db.delete(serviceReviews);
  await changes.pay(db, { id: ids[0]!, at: toMoment(0) });
  await db
    .transaction(async (tx) => {
      await changes.assign(tx, { id: ids[0]!, at: toMoment(1) });
      await changes.submit(tx, { id: ids[0]!, at: toMoment(2) });
      tx.rollback();
    })
    .catch(() => {});
  expect(await listStoredDays(db)).toEqual([]);
});

test("reviews that are completed, refunded and purged at the same time are counted once", async () => {
  await db.delete(serviceReviews);
  const many = Array.from(
    { length: 24 },
    (_, at) => `00000000-0000-4000-9000-${at.toString().padStart(12, "0")}`,
  );
  for (const id of many) {
    await changes.pay(db, { id, at: toMoment(0) });
    await changes.assign(db, { id, at: toMoment(1) });
  }
  const later: (keyof typeof changes)[] = ["submit", "refund", "moveDueDate", "purge"];
  await Promise.all(
    many.flatMap((id, index) =>
      later
        .slice(0, 1 + (index % later.length))
        .map((change) => db.transaction((tx) => changes[change](tx, { id, at: toMoment(2) }))),
    ),
  );
  expect(await listStoredDays(db)).toEqual(await countDays(db));
});

test("the migration counts the reviews that exist", async () => {
  const url = await emptyDatabase();
  await applyMigrationsBefore(url, "review_days");
  const earlier = openDatabase(url, { max: 1 });
  const { asha: customer, meera: reviewer } = await people(earlier.db);
  await earlier.db.execute(sql`
    insert into service_reviews (id, user_id, service_type, status, created_at, due_at, withdrawn_at)
    select md5(n::text)::uuid, ${customer.id}, 'resume_review', case when n % 5 = 0 then 'under_review' else 'completed' end,
      ${toMoment(0).toISOString()}::timestamptz + n * interval '1 hour',
      case when n % 4 > 0 then ${toMoment(3).toISOString()}::timestamptz end,
      case when n % 7 = 0 then ${toMoment(4).toISOString()}::timestamptz end
    from generate_series(1, 60) n`);
  await earlier.db.execute(sql`
    insert into review_assignments (review_id, reviewer_id, assigned_at, completed_at)
    select id, ${reviewer.id}, created_at, case when status = 'completed' then created_at + interval '90 minutes' end
    from service_reviews`);
  await applyMigrations(url);
  const stored = await listStoredDays(earlier.db);
  expect(stored).toEqual(await countDays(earlier.db));
  expect(stored.length).toBeGreaterThan(2);
  await earlier.db.update(serviceReviews).set({ withdrawnAt: toMoment(5) });
  expect(await listStoredDays(earlier.db)).toEqual([]);
  await earlier.close();
});

async function applyMigrationsBefore(url: string, name: string): Promise<void> {
  await mkdir(".react-router", { recursive: true });
  const folder = await mkdtemp(join(".react-router", "earlier-"));
  await cp("db/migrations", folder, { recursive: true });
  const file = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag.endsWith(name));
  await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  await applyMigrations(url, folder);
  await rm(folder, { recursive: true });
}

type Day = typeof reviewDays.$inferSelect;

/** Lists the stored rows that count a review. */
async function listStoredDays(from: Database): Promise<Day[]> {
  const rows = await from.select().from(reviewDays).orderBy(reviewDays.day, reviewDays.hours);
  return rows.filter((row) => row.completed !== 0 || row.onTime !== 0);
}

/** Counts the same from the reviews. */
async function countDays(from: Database): Promise<Day[]> {
  const days = new Map<string, Day>();
  const rows = await from
    .select({
      completedAt: reviewAssignments.completedAt,
      createdAt: serviceReviews.createdAt,
      dueAt: serviceReviews.dueAt,
      status: serviceReviews.status,
      withdrawnAt: serviceReviews.withdrawnAt,
    })
    .from(serviceReviews)
    .innerJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id));
  for (const { completedAt, createdAt, dueAt, status, withdrawnAt } of rows) {
    if (!completedAt || !dueAt || status !== "completed" || withdrawnAt) continue;
    const hours = Math.ceil((completedAt.getTime() - createdAt.getTime()) / hour);
    const key = { day: toIsoDay(completedAt), hours };
    const before = days.get(JSON.stringify(key)) ?? { ...key, completed: 0, onTime: 0 };
    const onTime = before.onTime + Number(completedAt <= dueAt);
    days.set(JSON.stringify(key), { ...before, completed: before.completed + 1, onTime });
  }
  return [...days.values()].toSorted(
    (one, other) => one.day.localeCompare(other.day) || one.hours - other.hours,
  );
}
