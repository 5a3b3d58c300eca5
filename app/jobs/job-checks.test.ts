import { beforeEach, expect, test } from "vitest";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { insertJob, jobRow } from "../../tests/support/rows/jobs.ts";
import { day, now, second } from "../platform/clock.ts";
import { findJob } from "./listing/find-job.server.ts";
import { listJobs } from "./find.server.ts";
import { recordCheck } from "./job-checks.server.ts";
import { jobChecks, jobs } from "./tables.server.ts";

const { db, gita } = await testPeople();
const settings = { checkEvery: 14 * day, lapsesAll: false };

beforeEach(async () => {
  await db.delete(jobs);
});

const check = (id: string, result: "open" | "filled" | "closed", own = settings) =>
  db.transaction((tx) => recordCheck(tx, id, { kind: "staff", result, actorId: gita.id }, own));

const fromNow = (ms: number) => new Date(now().getTime() + ms);

test("a check of an open job sets its next due date and stays in the history", async () => {
  const { id } = await insertJob(db);
  expect(await check(id, "open")).toBe(true);
  const job = await jobRow(db, id);
  expect(job.checkDueAt.getTime() - job.checkedAt!.getTime()).toBe(14 * day);
  expect(job).toMatchObject({ isArchived: false, liveUntil: null });
  expect(await db.select().from(jobChecks)).toMatchObject([
    { jobId: id, kind: "staff", result: "open", actorId: gita.id, at: job.checkedAt },
  ]);
});

test("a check keeps a listing that lapses on the board for another round", async () => {
  const { id } = await insertJob(db, { lapses: true, liveUntil: fromNow(day) });
  await check(id, "open");
  const { checkedAt, liveUntil } = await jobRow(db, id);
  expect(liveUntil!.getTime() - checkedAt!.getTime()).toBe(21 * day);
});

test("if all listings lapse, those of staff do too", async () => {
  const { id } = await insertJob(db);
  await check(id, "open", { ...settings, lapsesAll: true });
  const { checkedAt, liveUntil } = await jobRow(db, id);
  expect(liveUntil!.getTime() - checkedAt!.getTime()).toBe(21 * day);
});

test.each(["filled", "closed"] as const)("a %s job is archived with the reason", async (result) => {
  const { id } = await insertJob(db);
  expect(await check(id, result)).toBe(true);
  expect(await jobRow(db, id)).toMatchObject({ isArchived: true, archivedReason: result });
});

test("an archived or deleted listing can't be checked", async () => {
  const { id } = await insertJob(db, { isArchived: true });
  expect(await check(id, "open")).toBe(false);
  await db.delete(jobs);
  expect(await check(id, "closed")).toBe(false);
  expect(await db.$count(jobChecks)).toBe(0);
});

test("of two answers at the same time, the first one counts", async () => {
  const { id } = await insertJob(db);
  const taken = await Promise.all([check(id, "filled"), check(id, "closed")]);
  expect(taken).toHaveLength(2);
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await db.select().from(jobChecks)).toHaveLength(1);
});

test("a lapsed listing is closed everywhere without any task", async () => {
  const { id: lapsed } = await insertJob(db, { liveUntil: fromNow(-second) });
  const { id: live } = await insertJob(db, { liveUntil: fromNow(day) });
  expect((await listJobs(db, {})).jobs.map(({ id }) => id)).toEqual([live]);
  expect(await findJob(db, gita, lapsed)).toMatchObject({ state: "archived" });
  expect(await findJob(db, gita, live)).toMatchObject({ state: "open" });
});
