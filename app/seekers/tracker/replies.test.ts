import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { company } from "../../../tests/support/rows/companies.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { application, replyAnswer, trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { users } from "../../accounts/tables.server.ts";
import { day, getDayStart, minute, now } from "../../platform/clock.ts";
import {
  changeTrackedJob,
  removeTrackedJob,
  restoreTrackedJob,
} from "./change-tracked-job.server.ts";
import { removedJob } from "./forms.server.ts";
import {
  answerReplyQuestion,
  findReplyAnswer,
  findReplyQuestion,
  withdrawReplyAnswer,
} from "./replies.server.ts";
import { removeSavedJob } from "./save-job.server.ts";
import { replyAnswers, trackedJobs } from "./tables.server.ts";

const { db } = await testDatabase();

/** The person applies on this day, at noon in India. */
const applied = new Date("2026-11-02T06:30:00Z");
const seeker = () => person(db, "Asha Verma");

beforeEach(() => {
  setTime(applied);
  onTestFinished(() => void vi.useRealTimers());
});

function setTime(time: Date | number) {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

/** Moves to a time of a day after the application. */
const moveTo = (days: number, later = 0) =>
  setTime(getDayStart("2026-11-02").getTime() + days * day + later);

const askedAbout = async (actor: { id: string }) =>
  (await findReplyQuestion(db, actor))?.id ?? null;
const rowsOf = (id: string) =>
  db.select().from(replyAnswers).where(eq(replyAnswers.trackedJobId, id));

test("a person is asked from day 14 on, and no longer after day 90", async () => {
  const asha = await seeker();
  const id = await application(db, asha, 0, { title: "Map Maker", company: "Chaupal" });
  moveTo(14, -1);
  expect(await askedAbout(asha)).toBeNull();
  moveTo(14);
  expect(await findReplyQuestion(db, asha)).toEqual({
    id,
    title: "Map Maker",
    company: "Chaupal",
    appliedOn: "2026-11-02",
  });
  moveTo(91, -1);
  expect(await askedAbout(asha)).toBe(id);
  moveTo(91);
  expect(await askedAbout(asha)).toBeNull();
});

test("“Not yet” is asked about once more on day 28, and then no more", async () => {
  const asha = await seeker();
  const id = await application(db, asha, 0);
  moveTo(15);
  await answerReplyQuestion(db, asha, { id, outcome: "not-yet" });
  moveTo(28, -1);
  expect(await askedAbout(asha)).toBeNull();
  moveTo(28);
  expect(await askedAbout(asha)).toBe(id);
  await answerReplyQuestion(db, asha, { id, outcome: "not-yet" });
  moveTo(60);
  expect(await askedAbout(asha)).toBeNull();
  expect(await rowsOf(id)).toHaveLength(1);
});

test("a first “Not yet” after day 28 is the last question, and so is any “Yes”", async () => {
  const asha = await seeker();
  const late = await application(db, asha, 0);
  moveTo(28);
  await answerReplyQuestion(db, asha, { id: late, outcome: "not-yet" });
  for (const outcome of ["within", "later"] as const) {
    const ravi = await person(db, "Ravi Nair");
    setTime(applied);
    const id = await application(db, ravi, 0);
    moveTo(14);
    await answerReplyQuestion(db, ravi, { id, outcome });
    moveTo(60);
    expect(await askedAbout(ravi)).toBeNull();
  }
  expect(await askedAbout(asha)).toBeNull();
});

test("a person gets one question a week, counted from the last answer, the oldest application first", async () => {
  const asha = await seeker();
  const second = await application(db, asha, 0);
  const first = await application(db, asha, 1);
  moveTo(20);
  expect(await askedAbout(asha)).toBe(first);
  await answerReplyQuestion(db, asha, { id: first, outcome: "within" });
  moveTo(27, -1);
  expect(await askedAbout(asha)).toBeNull();
  moveTo(27);
  expect(await askedAbout(asha)).toBe(second);
});

test("only jobs of the board that the person applied for are asked about", async () => {
  const asha = await seeker();
  for (const state of ["saved", "withdrawn"] as const) await application(db, asha, 20, { state });
  await application(db, asha, 20, { url: "https://elsewhere.example/" });
  await trackedJob(db, asha, { state: "applied", url: "/jobs/x" });
  const ravi = await person(db, "Ravi Nair");
  await application(db, ravi, 20);
  expect(await askedAbout(asha)).toBeNull();
  const rejected = await application(db, asha, 20, { state: "rejected" });
  expect(await askedAbout(asha)).toBe(rejected);
});

test("an answer can be changed and withdrawn, and the question doesn't come back", async () => {
  const asha = await seeker();
  const id = await application(db, asha, 14);
  expect(await findReplyAnswer(db, asha, id)).toBeNull();
  await answerReplyQuestion(db, asha, { id, outcome: "later" });
  await answerReplyQuestion(db, asha, { id, outcome: "within" });
  expect(await findReplyAnswer(db, asha, id)).toBe("within");
  expect(await findReplyAnswer(db, await seeker(), id)).toBeNull();
  await withdrawReplyAnswer(db, asha, { id });
  expect(await rowsOf(id)).toMatchObject([{ outcome: "withdrawn" }]);
  moveTo(30);
  expect(await askedAbout(asha)).toBeNull();
});

test.each(["within", "later"] as const)(
  "two answers at the same time are one row, with the later one: %s",
  async (last) => {
    const asha = await seeker();
    const id = await application(db, asha, 14);
    await overlap(
      db,
      (tx) => answerReplyQuestion(tx, asha, { id, outcome: "within" }),
      (other) => answerReplyQuestion(other, asha, { id, outcome: last }),
    );
    expect(await rowsOf(id)).toMatchObject([{ outcome: last }]);
    const [job] = await db.select().from(trackedJobs).where(eq(trackedJobs.id, id));
    expect(job!.version).toBe(last === "within" ? 1 : 2);
  },
);

test("an answer is about the listing's company, or about the name that was copied from it", async () => {
  const asha = await seeker();
  const { id: chaupal } = await company(db);
  const listed = await insertJob(db, { companyId: chaupal });
  const named = await insertJob(db, { company: "Kite Works Pvt. Ltd." });
  const expected = new Map([
    [await application(db, asha, 14, { jobId: listed.id }), `company:${chaupal}`],
    [await application(db, asha, 14, { jobId: named.id }), "name:kite works"],
    [await application(db, asha, 14, { company: "KITE  WORKS" }), "name:kite works"],
  ]);
  for (const [id, companyKey] of expected) {
    await answerReplyQuestion(db, asha, { id, outcome: "within" });
    expect(await rowsOf(id)).toMatchObject([{ companyKey }]);
  }
});

test("an answered job isn't removed by the board's button, and Undo restores its answer", async () => {
  const asha = await seeker();
  const { id: jobId } = await insertJob(db);
  const id = await application(db, asha, 14, { jobId, askedAt: applied });
  await answerReplyQuestion(db, asha, { id, outcome: "not-yet" });
  await expect(removeSavedJob(db, asha, { jobId })).rejects.toThrow();
  const before = await rowsOf(id);
  setTime(applied.getTime() + minute);
  const removed = await removeTrackedJob(db, asha, { id });
  expect(await rowsOf(id)).toEqual([]);
  await restoreTrackedJob(db, asha, removedJob.parse(JSON.parse(JSON.stringify(removed))));
  const [{ id: _id, ...answer }] = before as [(typeof before)[number]];
  expect(await rowsOf(id)).toMatchObject([answer]);
  expect(await db.select().from(trackedJobs).where(eq(trackedJobs.id, id))).toMatchObject([
    { askedAt: applied },
  ]);
  // A state that ends the application keeps the answer.
  await changeTrackedJob(db, asha, { id, version: 2, state: "rejected" });
  expect(await findReplyAnswer(db, asha, id)).toBe("not-yet");
});

test("a closed account leaves its latest answer about each company without the person", async () => {
  // PostgreSQL's clock decides how old the account is.
  vi.useRealTimers();
  const close = async (fields: Partial<typeof users.$inferInsert>) => {
    await db.execute(sql`delete from reply_answers`);
    const asha = await seeker();
    const old = new Date(now().getTime() - 20 * day);
    await db
      .update(users)
      .set({ createdAt: old, ...fields })
      .where(eq(users.id, asha.id));
    for (const [companyKey, outcome, daysAgo] of [
      ["name:kite", "not-yet", 9],
      ["name:kite", "within", 2],
      ["name:map", "later", 3],
      ["name:map", "withdrawn", 1],
      ["name:sign", "withdrawn", 1],
    ] as const) {
      const at = new Date(now().getTime() - daysAgo * day);
      await replyAnswer(db, asha, await application(db, asha, 20), { companyKey, outcome, at });
    }
    await db.delete(users).where(eq(users.id, asha.id));
    return db
      .select({
        ofUser: replyAnswers.userId,
        job: replyAnswers.trackedJobId,
        outcome: replyAnswers.outcome,
      })
      .from(replyAnswers)
      .orderBy(replyAnswers.companyKey);
  };
  expect(await close({})).toEqual([
    { ofUser: null, job: null, outcome: "within" },
    { ofUser: null, job: null, outcome: "later" },
  ]);
  expect(await close({ emailVerified: false })).toEqual([]);
  expect(await close({ createdAt: now() })).toEqual([]);
  expect(await close({ bannedUntil: new Date(now().getTime() + day) })).toEqual([]);
});
