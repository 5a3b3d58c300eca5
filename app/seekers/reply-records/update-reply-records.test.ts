import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { company } from "../../../tests/support/rows/companies.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { application, replyAnswer } from "../../../tests/support/rows/tracked-jobs.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { users } from "../../accounts/tables.server.ts";
import { findMembersRecords, findReplyRecord } from "../../jobs/replies/reply-records.server.ts";
import { replyRecords } from "../../jobs/tables.server.ts";
import { day, getDayStart } from "../../platform/clock.ts";
import { replyAnswers } from "../tracker/tables.server.ts";
import { updateReplyRecords } from "./update-reply-records.server.ts";

const { db } = await testDatabase();
const kite = "name:kite works";
type Outcome = (typeof replyAnswers.$inferSelect)["outcome"];

/** A Monday in India. */
const monday = getDayStart("2026-11-23").getTime();

beforeEach(async () => {
  setTime(monday);
  onTestFinished(() => void vi.useRealTimers());
  await db.execute(sql`delete from reply_answers; delete from reply_records`);
});

function setTime(time: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

/** Creates a person whose account is old enough, with an answer on the day before Monday. */
async function answer(
  outcome: Outcome,
  fields: Partial<typeof replyAnswers.$inferInsert> = {},
  account: Partial<typeof users.$inferInsert> = {},
) {
  const one = await person(db, "Asha Verma");
  const createdAt = new Date(monday - 15 * day);
  await db
    .update(users)
    .set({ createdAt, ...account })
    .where(eq(users.id, one.id));
  const id = await answerAgain(one, outcome, fields);
  return { one, id };
}

async function answerAgain(
  one: { id: string },
  outcome: Outcome,
  fields: Partial<typeof replyAnswers.$inferInsert> = {},
) {
  const id = await application(db, one, 20);
  const at = new Date(monday - day);
  await replyAnswer(db, one, id, { companyKey: kite, outcome, at, ...fields });
  return id;
}

async function answers(...outcomes: Outcome[]) {
  for (const outcome of outcomes) await answer(outcome);
}

async function count(): Promise<Record<string, number> | null> {
  await db.delete(replyRecords);
  await updateReplyRecords(db);
  const [row] = await db.select().from(replyRecords).where(eq(replyRecords.companyKey, kite));
  return row ? { people: row.people, within: row.within, later: row.later } : null;
}

test("a record needs five people", async () => {
  await answers("within", "within", "later", "not-yet");
  expect(await count()).toBeNull();
  await answers("within");
  expect(await count()).toEqual({ people: 5, within: 3, later: 1 });
});

test("of a person who answers twice about a company, the latest answer counts", async () => {
  await answers("within", "within", "within", "later");
  const { one } = await answer("not-yet", { at: new Date(monday - 3 * day) });
  await answerAgain(one, "within", { at: new Date(monday - 2 * day) });
  expect(await count()).toEqual({ people: 5, within: 4, later: 1 });
  await answerAgain(one, "withdrawn");
  expect(await count()).toEqual({ people: 5, within: 4, later: 1 });
  // Another company is another record.
  await answerAgain(one, "not-yet", { companyKey: "name:map works" });
  expect(await count()).toEqual({ people: 5, within: 4, later: 1 });
});

test.each<[string, Partial<typeof replyAnswers.$inferInsert>, Partial<typeof users.$inferInsert>]>([
  ["is withdrawn", { outcome: "withdrawn" }, {}],
  ["was given this week", { at: new Date(monday) }, {}],
  ["is older than 90 days", { at: new Date(monday - 90 * day - 1) }, {}],
  ["is of an account of 14 days", {}, { createdAt: new Date(monday - 14 * day) }],
  ["is of an unconfirmed address", {}, { emailVerified: false }],
  ["is of a banned person", {}, { bannedUntil: new Date(monday + day) }],
])("an answer doesn't count that %s", async (_reason, fields, account) => {
  await answers("within", "within", "within", "within");
  const { id } = await answer("within", fields, account);
  expect(await count()).toBeNull();
  if ((await db.$count(replyAnswers, eq(replyAnswers.trackedJobId, id))) === 0)
    await answers("within");
  await db
    .update(replyAnswers)
    .set({ outcome: "within", at: new Date(monday - 90 * day) })
    .where(eq(replyAnswers.trackedJobId, id));
  await db.update(users).set({
    createdAt: new Date(monday - 14 * day - 1),
    emailVerified: true,
    bannedUntil: new Date(monday),
  });
  expect(await count()).toEqual({ people: 5, within: 5, later: 0 });
});

test("answers of closed accounts still count, one each", async () => {
  for (let made = 0; made < 5; made += 1)
    await db
      .insert(replyAnswers)
      .values({ companyKey: kite, outcome: "within", at: new Date(monday - day) });
  expect(await count()).toEqual({ people: 5, within: 5, later: 0 });
});

test("members read a record first, everyone a week later, and it changes once a week", async () => {
  const own = await company(db);
  const companyKey = `company:${own.id}`;
  const read = async () => {
    const { everyone, members } = await findMembersRecords(db, own.id);
    expect(await findReplyRecord(db, companyKey)).toEqual(
      everyone && { people: everyone.people, within: everyone.within, later: everyone.later },
    );
    return [everyone?.people, members?.people];
  };
  for (let made = 0; made < 5; made += 1) await answer("within", { companyKey });
  await updateReplyRecords(db);
  expect(await read()).toEqual([undefined, 5]);
  // A sixth answer, and one that is withdrawn.
  await answer("within", { companyKey, at: new Date(monday + day) });
  await answer("within", { companyKey, at: new Date(monday + day) });
  await db.execute(
    sql`delete from reply_answers where id in (select id from reply_answers limit 1)`,
  );
  for (const later of [1, 3, 6.9]) {
    setTime(monday + later * day);
    await updateReplyRecords(db);
    expect(await read()).toEqual([undefined, 5]);
  }
  setTime(monday + 7 * day);
  expect(await read()).toEqual([5, undefined]);
  await updateReplyRecords(db);
  expect(await read()).toEqual([5, 6]);
  setTime(monday + 14 * day);
  await updateReplyRecords(db);
  expect(await read()).toEqual([6, 6]);
  expect(await db.$count(replyRecords)).toBe(2);
});

test("runs at the same time count once", async () => {
  await answers("within", "within", "within", "within", "within");
  const results = await overlap(db, (tx) => updateReplyRecords(tx), updateReplyRecords);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await db.$count(replyRecords)).toBe(1);
});

test("answers that no longer count are deleted", async () => {
  await answer("within", { at: new Date(monday - 90 * day) });
  const { id } = await answer("within", { at: new Date(monday - 90 * day - 1) });
  await updateReplyRecords(db);
  expect(await db.$count(replyAnswers)).toBe(1);
  expect(await db.$count(replyAnswers, eq(replyAnswers.trackedJobId, id))).toBe(0);
});
