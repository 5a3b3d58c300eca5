import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { insertJob, type JobRow, jobRow } from "../../../tests/support/rows/jobs.ts";
import { findJob } from "../../jobs/listing/find-job.server.ts";
import { loadFeed } from "../../jobs/feed/feed.server.ts";
import { listSitemapRuns, loadSitemapRun } from "../../jobs/feed/sitemap.server.ts";
import { buildJobFilter } from "../../jobs/filters/job-filter.server.ts";
import { countJobs, listJobs } from "../../jobs/find.server.ts";
import { recordCheck } from "../../jobs/job-checks.server.ts";
import { jobChecks, jobs } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, minute, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { archiveLapsedJobs } from "./archive-lapsed.server.ts";
import { createCheckJobsTask } from "./check-jobs-task.server.ts";

const { db, ...who } = await testPeople();
const config = testConfig();
const task = createCheckJobsTask(config);
const runTask = () => task.run({}, { db, log: createLog("error") });

beforeEach(async () => {
  await db.delete(jobs);
  await db.delete(auditEvents);
  await db.delete(mails);
});

afterEach(() => vi.useRealTimers());

const fromNow = (ms: number) => new Date(now().getTime() + ms);

async function post(fields: JobRow = {}): Promise<string> {
  const times = {
    postedAt: fromNow(-40 * day),
    checkedAt: fromNow(-22 * day),
    checkDueAt: fromNow(-8 * day),
  };
  return (await insertJob(db, { createdBy: who.devi.id, ...times, ...fields })).id;
}

const lapsed = () => ({ lapses: true, liveUntil: fromNow(-minute) });

test("without any task, a lapsed listing leaves board, counts, page, feed and sitemap", async () => {
  const id = await post(lapsed());
  const open = await post();
  const ids = (listed: { id: string }[]) => listed.map((job) => job.id);
  expect(ids((await listJobs(db, {})).jobs)).toEqual([open]);
  expect(await countJobs(db, {})).toEqual({ counted: 1, isMore: false });
  expect(await findJob(db, who.asha, id)).toMatchObject({ state: "archived" });
  expect(await findJob(db, null, id)).toMatchObject({ state: "archived" });
  expect(ids((await loadFeed(db, buildJobFilter({}))).entries)).toEqual([open]);
  const [run] = await listSitemapRuns(db);
  const mapped = [];
  for await (const part of loadSitemapRun(db, run!)) mapped.push(...ids(part));
  expect(mapped).toEqual([open]);
  expect(await jobRow(db, id)).toMatchObject({ isArchived: false });
});

test("the task archives lapsed listings and records why", async () => {
  const unanswered = await post(lapsed());
  const dated = await post({
    ...lapsed(),
    closesOn: "2026-03-01",
    liveUntil: new Date("2026-03-01T18:30:00Z"),
  });
  const live = await post({ lapses: true, liveUntil: fromNow(day) });
  await runTask();
  expect(await jobRow(db, unanswered)).toMatchObject({
    isArchived: true,
    archivedReason: "unanswered",
  });
  expect(await jobRow(db, dated)).toMatchObject({ isArchived: true, archivedReason: "date" });
  expect(await jobRow(db, live)).toMatchObject({ isArchived: false, archivedReason: null });
  const events = await db.select().from(auditEvents).where(eq(auditEvents.event, "job.lapse"));
  expect(events.map(({ subjectId }) => subjectId).toSorted()).toEqual(
    [unanswered, dated].toSorted(),
  );
  expect(events[0]).toMatchObject({ actorId: null, before: { isArchived: false } });
});

test("a listing that lapses before its closing date went unanswered", async () => {
  const id = await post({ ...lapsed(), closesOn: "2099-01-01" });
  await archiveLapsedJobs(db);
  expect(await jobRow(db, id)).toMatchObject({ archivedReason: "unanswered" });
});

test("three processes archive many lapsed listings once each", async () => {
  for (let number = 0; number < 250; number++) await post(lapsed());
  const counts = await Promise.all([1, 2, 3].map(() => archiveLapsedJobs(db)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(250);
  expect(await db.$count(jobs, eq(jobs.archivedReason, "unanswered"))).toBe(250);
  expect(await db.$count(auditEvents)).toBe(250);
  expect(await archiveLapsedJobs(db)).toBe(0);
});

test("a check and the archiving of a lapsed listing don't both happen", async () => {
  const settings = config.checks;
  for (let round = 0; round < 10; round++) {
    const id = await post(lapsed());
    const check = { kind: "staff", result: "open", actorId: who.gita.id } as const;
    const [isChecked] = await Promise.all([
      db.transaction((tx) => recordCheck(tx, id, check, settings)),
      archiveLapsedJobs(db),
    ]);
    expect(isChecked).toBe(false);
    await archiveLapsedJobs(db);
    expect(await jobRow(db, id)).toMatchObject({ isArchived: true, archivedReason: "unanswered" });
  }
  expect(await db.$count(jobChecks)).toBe(0);
});

/** A subscriber's listing that appeared some days ago. */
const insertUnchecked = (daysAgo: number, fields: JobRow = {}) => {
  const postedAt = fromNow(-daysAgo * day);
  const after = (days: number) => new Date(postedAt.getTime() + days * day);
  return post({
    createdBy: who.sonia.id,
    postedAt,
    checkedAt: null,
    checkDueAt: after(7),
    lapses: true,
    liveUntil: after(14),
    ...fields,
  });
};

const listSubjects = async (email: string) =>
  (await mailsTo(db, email)).map(({ subject }) => subject).toReversed();

test("a subscriber hears on days 7 and 12 that a listing is unchecked", async () => {
  const id = await insertUnchecked(6.9);
  await runTask();
  expect(await mailsTo(db, who.sonia.email)).toEqual([]);
  vi.useFakeTimers({ toFake: ["Date"], now: now().getTime() + 0.2 * day });
  await runTask();
  await runTask();
  const subject = "“Product Designer” isn't checked yet";
  expect(await listSubjects(who.sonia.email)).toEqual([subject]);
  vi.setSystemTime(now().getTime() + 4.8 * day);
  await runTask();
  vi.setSystemTime(now().getTime() + 0.2 * day);
  await Promise.all([runTask(), runTask(), runTask()]);
  expect(await listSubjects(who.sonia.email)).toEqual([subject, subject]);
  const [mail] = await mailsTo(db, who.sonia.email);
  for (const text of [mail!.text, mail!.html]) {
    expect(text).toContain("Sample Studio");
    expect(text).toContain(`${config.origin}/job-board?edit=${id}`);
    expect(text).toContain("leaves the board on");
  }
});

test("after downtime only the later email is sent", async () => {
  await insertUnchecked(12.5);
  await runTask();
  await runTask();
  expect(await listSubjects(who.sonia.email)).toHaveLength(1);
});

test("checked, archived, lapsed and staff's listings cause no email to their owner", async () => {
  await insertUnchecked(8, { checkedAt: fromNow(-day) });
  await insertUnchecked(8, { isArchived: true });
  await insertUnchecked(15);
  await post({ createdBy: who.sonia.id });
  await runTask();
  expect(await mailsTo(db, who.sonia.email)).toEqual([]);
});
