import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { jobReport, seenReports } from "../../../tests/support/rows/reports.ts";
import { jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import {
  archiveJob,
  createJob,
  deleteJob,
  unarchiveJob,
} from "../../jobs/manage/job-commands.server.ts";
import { findJob as findPublicJob } from "../../jobs/listing/find-job.server.ts";
import { listDueChecks } from "../../jobs/due-checks.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { deleteExpiredReports } from "../expired-reports.server.ts";
import { countRemovals, listRemovals } from "../removed/list-removals.server.ts";
import { checkJobs } from "../queue/check-jobs.server.ts";
import { reportForm, sendReport } from "../report/send-report.server.tsx";
import { jobReports } from "../tables.server.ts";
import { archiveReportedJob, closeReports } from "./close-reports.server.ts";
import { countReportedJobs, listReportedJobs } from "./list-reports.server.ts";

const { db, asha, ravi, meera, devi, sonia, gita } = await testPeople();
const secondAdmin = { ...meera, isGodAdmin: true };
let jobId: string;

beforeEach(async () => {
  await db.execute(sql`delete from job_reports; delete from jobs; delete from audit_events`);
  jobId = await createJob(db, devi, jobFields);
});

const ago = (age: number) => new Date(now().getTime() - age);
const seen = (id = jobId) => seenReports(db, id);
const decide = async (
  command: typeof closeReports,
  { actor = gita, id = jobId, reason = "Checked with the company." } = {},
) => command(db, actor, { jobId: id, reason, seen: await seen(id) });
const findJob = () => jobRow(db, jobId);
const events = async () =>
  (await db.select().from(auditEvents).orderBy(auditEvents.at)).map(({ event }) => event);

test("archiving closes the reports with the reason, and takes the listing off the board", async () => {
  await db.update(jobs).set({ reportedAt: now() }).where(eq(jobs.id, jobId));
  await jobReport(db, jobId, { reporterId: asha.id });
  await jobReport(db, jobId, { email: "v@example.com" });
  await decide(archiveReportedJob, { reason: "They asked for money." });
  expect(await findJob()).toMatchObject({ isArchived: true, reportedAt: null });
  const reports = await db.select().from(jobReports);
  expect(new Set(reports.map(({ decisionId }) => decisionId)).size).toBe(1);
  for (const report of reports)
    expect(report).toMatchObject({
      state: "archived",
      decisionReason: "They asked for money.",
      decidedBy: gita.id,
    });
  expect((await events()).toSorted()).toEqual(["job.archive", "job.create", "report.archive"]);
});

test("dismissing closes the reports, and the listing stays public without the notice", async () => {
  await db.update(jobs).set({ reportedAt: now() }).where(eq(jobs.id, jobId));
  await jobReport(db, jobId, { reporterId: asha.id });
  await decide(closeReports);
  expect(await findJob()).toMatchObject({
    isArchived: false,
    reportedAt: null,
    archivedReason: null,
  });
  expect(await db.select().from(jobReports)).toMatchObject([{ state: "dismissed" }]);
  expect(await events()).toContain("report.dismiss");
  expect(await listRemovals(db)).toEqual([]);
});

test("a report that the admin didn't see, or that changed, stops a decision", async () => {
  const first = await jobReport(db, jobId, { reporterId: asha.id });
  const before = await seen();
  const decision = { jobId, reason: "Checked.", seen: before };
  await jobReport(db, jobId, { reporterId: ravi.id });
  await expect(closeReports(db, gita, decision)).rejects.toThrow("new or has changed");
  await db.delete(jobReports).where(eq(jobReports.reporterId, ravi.id));
  await db.update(jobReports).set({ text: "Look again." }).where(eq(jobReports.id, first));
  await expect(archiveReportedJob(db, gita, decision)).rejects.toThrow("new or has changed");
  expect(await findJob()).toMatchObject({ isArchived: false });
});

test("a report that is being sent while the admin decides stops the decision", async () => {
  await jobReport(db, jobId, { reporterId: asha.id });
  const decision = { jobId, reason: "Checked.", seen: await seen() };
  const sent = {
    jobId,
    form: reportForm.parse({ reason: "money" }),
    reporterId: ravi.id,
    clientAddress: "192.0.2.1",
  };
  const [, decided] = await overlap(
    db,
    (tx) => sendReport(tx, testConfig(), sent),
    (other) => closeReports(other, gita, decision),
  );
  expect(decided).toMatchObject({ status: "rejected", reason: { name: "Conflict" } });
  expect(await countReportedJobs(db, gita)).toBe(1);
});

test("of two admins who decide together, one gets a message", async () => {
  await jobReport(db, jobId, { reporterId: asha.id });
  const version = await seen();
  const decision = { jobId, reason: "Checked.", seen: version };
  const results = await Promise.allSettled([
    archiveReportedJob(db, gita, decision),
    closeReports(db, secondAdmin, decision),
  ]);
  const [refused] = results.filter((result) => result.status === "rejected");
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(refused!.reason).toMatchObject({
    name: "Conflict",
    message: "Another admin has already decided about these reports.",
  });
});

test("an unconfirmed report is not listed, and no decision closes it", async () => {
  await jobReport(db, jobId, { email: "v@example.com", confirmedAt: null });
  expect(await countReportedJobs(db, gita)).toBe(0);
  expect((await listReportedJobs(db, gita, { after: null })).rows).toEqual([]);
  await expect(decide(closeReports)).rejects.toThrow("already decided");
});

test("the list has the most reports first, then those that have waited longest", async () => {
  const [two, older, newer] = [
    await createJob(db, devi, { ...jobFields, title: "Two" }),
    await createJob(db, devi, { ...jobFields, title: "Older" }),
    await createJob(db, devi, { ...jobFields, title: "Newer" }),
  ];
  await jobReport(db, newer, { reporterId: asha.id, createdAt: ago(hour) });
  await jobReport(db, older, { reporterId: asha.id, createdAt: ago(day) });
  await jobReport(db, two, { reporterId: asha.id });
  await jobReport(db, two, { email: "v@example.com", text: "Is it real?" });
  const { rows } = await listReportedJobs(db, gita, { after: null });
  expect(rows.map(({ title, total }) => [title, total])).toEqual([
    ["Two", 2],
    ["Older", 1],
    ["Newer", 1],
  ]);
  expect(rows[0]!.reports.map(({ reporter }) => reporter).toSorted()).toEqual([
    "account",
    "visitor",
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/v@example\.com|network/);
  expect(await countReportedJobs(db, gita)).toBe(3);
});

test("a listing with many reports shows the oldest twenty and counts all", async () => {
  for (let turn = 0; turn < 23; turn++)
    await jobReport(db, jobId, { email: `p${turn}@example.com`, createdAt: ago(turn * hour) });
  const [row] = (await listReportedJobs(db, gita, { after: null })).rows;
  expect(row).toMatchObject({ total: 23, oldestAt: row!.reports[0]!.createdAt });
  expect(row!.reports).toHaveLength(20);
});

test("an owner can't publish a removed listing again, but a god admin can", async () => {
  await jobReport(db, jobId, { reporterId: asha.id });
  await decide(archiveReportedJob);
  await expect(unarchiveJob(db, devi, jobId)).rejects.toThrow("We removed this listing");
  expect(await findJob()).toMatchObject({ isArchived: true });
  expect(await listRemovals(db)).toHaveLength(1);
  await unarchiveJob(db, gita, jobId);
  expect(await findJob()).toMatchObject({ isArchived: false, archivedReason: null });
  expect(await listRemovals(db)).toEqual([]);
  await archiveJob(db, devi, jobId);
  await unarchiveJob(db, devi, jobId);
  expect(await findJob()).toMatchObject({ isArchived: false });
});

test("a listing that an admin published again is no removal, even if it is archived since", async () => {
  await jobReport(db, jobId, { reporterId: asha.id });
  await decide(archiveReportedJob);
  await unarchiveJob(db, gita, jobId);
  await archiveJob(db, devi, jobId);
  expect(await listRemovals(db)).toEqual([]);
  expect(await countRemovals(db)).toEqual([]);
});

test("its owner can't delete a removed listing, nor one that we are checking, but an admin can", async () => {
  await jobReport(db, jobId, { reporterId: asha.id });
  await db.update(jobs).set({ reportedAt: now() }).where(eq(jobs.id, jobId));
  await expect(deleteJob(db, devi, jobId)).rejects.toThrow("We are checking reports");
  await decide(archiveReportedJob);
  await expect(deleteJob(db, devi, jobId)).rejects.toThrow("We removed this listing");
  expect(await findJob()).toMatchObject({ archivedReason: "reported" });
  await deleteJob(db, gita, jobId);
  expect(await findJob()).toBeUndefined();
});

test("a dismissed report doesn't keep a listing from being deleted", async () => {
  await db.update(jobs).set({ reportedAt: now() }).where(eq(jobs.id, jobId));
  await jobReport(db, jobId, { reporterId: asha.id });
  await decide(closeReports);
  await deleteJob(db, devi, jobId);
  expect(await findJob()).toBeUndefined();
});

const settings = { checkEvery: 14 * day, lapsesAll: false };
const listQueue = async () => (await listDueChecks(db, gita, "all", { after: null })).rows;

/** Removes Devi's listing, and archives another one of hers. */
async function removeOne() {
  const archived = await createJob(db, devi, { ...jobFields, title: "Archived" });
  await archiveJob(db, devi, archived);
  await jobReport(db, jobId, { reporterId: asha.id });
  await decide(archiveReportedJob);
  return archived;
}

test("after a removal, the owner's new and unarchived listings are unchecked and head the queue", async () => {
  const archived = await removeOne();
  const overdue = { postedAt: ago(13 * day), checkDueAt: ago(6 * day), liveUntil: null };
  await createJob(db, sonia, { ...jobFields, title: "Overdue" });
  await db.update(jobs).set(overdue).where(eq(jobs.title, "Overdue"));
  const again = await createJob(db, devi, jobFields);
  await unarchiveJob(db, devi, archived);
  const queue = await listQueue();
  expect(new Set(queue.slice(0, 2).map(({ id }) => id))).toEqual(new Set([again, archived]));
  expect(queue.map(({ followsRemoval }) => followsRemoval)).toEqual([true, true, false]);
  for (const { id } of queue.slice(0, 2))
    expect(await findPublicJob(db, null, id)).toMatchObject({ check: "Not checked yet" });
  // Neither do they check it themselves.
  const answer = { jobIds: [again], result: "open" as const };
  await expect(checkJobs(db, devi, answer, settings)).rejects.toThrow("only admins");
  await checkJobs(db, gita, answer, settings);
  expect(await findPublicJob(db, null, again)).toMatchObject({
    check: expect.stringContaining("by our team"),
  });
  expect((await listQueue()).map(({ id }) => id)).not.toContain(again);
});

test("a removal that an admin takes back no longer counts against its owner", async () => {
  await removeOne();
  await unarchiveJob(db, gita, jobId);
  const id = await createJob(db, devi, jobFields);
  expect(await findPublicJob(db, null, id)).toMatchObject({
    check: expect.stringContaining("by our team"),
  });
  await deleteJob(db, devi, id);
});

test("removals are listed once each with the most common reason, even after the listing is deleted", async () => {
  await jobReport(db, jobId, { reporterId: asha.id, reason: "fake" });
  await jobReport(db, jobId, { reporterId: ravi.id, reason: "money" });
  await jobReport(db, jobId, { reporterId: meera.id, reason: "money" });
  await decide(archiveReportedJob);
  await deleteJob(db, gita, jobId);
  expect(await listRemovals(db)).toMatchObject([{ reason: "money" }]);
  expect(await countRemovals(db)).toMatchObject([{ listings: 1 }]);
});

test("a lapsed listing with reports isn't shown as open, also before a task archives it", async () => {
  await jobReport(db, jobId, { reporterId: asha.id });
  const isOpen = async () =>
    (await listReportedJobs(db, gita, { after: null })).rows.map((row) => row.isOpen);
  expect(await isOpen()).toEqual([true]);
  await db.update(jobs).set({ liveUntil: ago(hour) });
  expect(await isOpen()).toEqual([false]);
});

test("removals are counted by calendar month in India", async () => {
  for (const [moment, title] of [
    ["2026-10-31T18:29:00Z", "October"],
    ["2026-10-31T18:31:00Z", "November"],
    ["2026-11-20T00:00:00Z", "November too"],
  ] as const) {
    const id = await createJob(db, devi, { ...jobFields, title });
    await jobReport(db, id, { reporterId: asha.id });
    await decide(archiveReportedJob, { id });
    await db
      .update(jobReports)
      .set({ decidedAt: new Date(moment) })
      .where(eq(jobReports.jobId, id));
  }
  expect(await countRemovals(db)).toEqual([
    { monthStart: new Date("2026-10-31T18:30:00Z"), listings: 2 },
    { monthStart: new Date("2026-09-30T18:30:00Z"), listings: 1 },
  ]);
});

test("reports that nobody confirmed, and those on deleted listings, are deleted", async () => {
  const spare = await createJob(db, devi, jobFields);
  await jobReport(db, spare, { reporterId: asha.id });
  await deleteJob(db, devi, spare);
  await jobReport(db, jobId, {
    email: "a@example.com",
    confirmedAt: null,
    createdAt: ago(49 * hour),
  });
  await jobReport(db, jobId, {
    email: "b@example.com",
    confirmedAt: null,
    createdAt: ago(47 * hour),
  });
  await jobReport(db, jobId, { email: "c@example.com", createdAt: ago(49 * hour) });
  expect(await deleteExpiredReports(db)).toBe(2);
  const left = await db.select().from(jobReports).orderBy(jobReports.email);
  expect(left.map(({ email }) => email)).toEqual(["b@example.com", "c@example.com"]);
});

test("180 days after the decision, only the reason and the decision are left", async () => {
  await jobReport(db, jobId, { email: "v@example.com", text: "Call me." });
  await decide(archiveReportedJob);
  const decided = (age: number) => db.update(jobReports).set({ decidedAt: ago(age) });
  await decided(179 * day);
  expect(await deleteExpiredReports(db)).toBe(0);
  await decided(181 * day);
  expect(await deleteExpiredReports(db)).toBe(1);
  expect(await deleteExpiredReports(db)).toBe(0);
  expect(await db.select().from(jobReports)).toMatchObject([
    { email: null, network: null, text: "", reason: "fake", decisionReason: expect.any(String) },
  ]);
  expect(await listRemovals(db)).toHaveLength(1);
});
