import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { insertJob, type JobRow, jobRow } from "../../../tests/support/rows/jobs.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import type { CheckResult } from "../../jobs/check-rules.ts";
import { countDueChecks, listDueChecks } from "../../jobs/due-checks.server.ts";
import { archiveJob } from "../../jobs/manage/job-commands.server.ts";
import { jobChecks, jobs } from "../../jobs/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { Conflict, Denied, Invalid } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { checkJobs } from "./check-jobs.server.ts";
import { buildCheckToast, describeUrgency } from "./rules.ts";

const { db, ...who } = await testPeople();
const settings = { checkEvery: 14 * day, lapsesAll: false };

beforeEach(async () => {
  await db.delete(jobs);
  await db.delete(auditEvents);
});

const fromNow = (days: number) => new Date(now().getTime() + days * day);

async function post(title: string, fields: JobRow = {}): Promise<string> {
  const times = { postedAt: fromNow(-40), checkedAt: fromNow(-20), checkDueAt: fromNow(-6) };
  return (await insertJob(db, { title, createdBy: who.devi.id, ...times, ...fields })).id;
}

const listTitles = async (actor: Actor, scope: "own" | "all") =>
  (await listDueChecks(db, actor, scope, { after: null })).rows.map(({ title }) => title);

const check = (actor: Actor, jobIds: string[], result: CheckResult) =>
  checkJobs(db, actor, { jobIds, result }, settings);

test("unchecked listings that lapse come first, then the longest overdue", async () => {
  await post("Never checked", { checkedAt: null, checkDueAt: fromNow(-2) });
  await post("Due", { checkDueAt: fromNow(-0.1) });
  await post("Overdue", { checkDueAt: fromNow(-4) });
  await post("Not due", { checkDueAt: fromNow(1) });
  await post("Archived", { isArchived: true });
  await post("Lapsed", { liveUntil: fromNow(-1) });
  await post("Subscriber's", { checkedAt: null, checkDueAt: fromNow(6), lapses: true });
  const queue = ["Subscriber's", "Overdue", "Never checked", "Due"];
  expect(await listTitles(who.gita, "all")).toEqual(queue);
  expect(await countDueChecks(db, who.gita, "all")).toEqual({ counted: 4, isMore: false });
});

test("adders see their own listings, subscribers none, and only admins see all", async () => {
  await post("Devi's");
  await post("Omar's", { createdBy: who.omar.id });
  await post("Sonia's", { createdBy: who.sonia.id });
  expect(await listTitles(who.devi, "own")).toEqual(["Devi's"]);
  expect(await countDueChecks(db, who.omar, "own")).toEqual({ counted: 1, isMore: false });
  await expect(listTitles(who.devi, "all")).rejects.toBeInstanceOf(Denied);
  await expect(listTitles(who.sonia, "own")).rejects.toBeInstanceOf(Denied);
});

test("pages lead through the queue and back, across its parts", async () => {
  const unchecked = { checkedAt: null, lapses: true };
  for (let number = 0; number < 20; number++) {
    await post(`Due ${number}`, { checkDueAt: fromNow(-30 + number) });
    await post(`New ${number}`, { ...unchecked, checkDueAt: fromNow(1 + number) });
  }
  const first = await listDueChecks(db, who.gita, "all", { after: null });
  const second = await listDueChecks(db, who.gita, "all", { after: first.next });
  const titles = [...first.rows, ...second.rows].map(({ title }) => title);
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  expect(titles).toEqual([
    ...numbers.map((number) => `New ${number}`),
    ...numbers.map((number) => `Due ${number}`),
  ]);
  expect(second.next).toBeNull();
  const back = await listDueChecks(db, who.gita, "all", { after: second.previous });
  expect(back.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
});

test("a check names who made it, and ends the listing's turn in the queue", async () => {
  const id = await post("Due");
  expect(await check(who.devi, [id], "open")).toMatchObject({ checked: 1, current: 0, gone: 0 });
  expect(await listTitles(who.devi, "own")).toEqual([]);
  expect(await db.select().from(jobChecks)).toMatchObject([
    { jobId: id, kind: "staff", actorId: who.devi.id, result: "open" },
  ]);
  expect(await db.select().from(auditEvents)).toMatchObject([
    { event: "job.check", subjectId: id, actorId: who.devi.id, after: { result: "open" } },
  ]);
  await db.update(jobs).set({ checkDueAt: fromNow(-1) });
  const [row] = (await listDueChecks(db, who.devi, "own", { after: null })).rows;
  expect(row!.lastCheck).toBe("staff");
});

test.each(["filled", "closed"] as const)("a %s listing is archived", async (result) => {
  const id = await post("Due");
  await check(who.gita, [id], result);
  const [job] = await db.select().from(jobs);
  expect(job).toMatchObject({ isArchived: true, archivedReason: result });
});

test("a form reports the listings that it couldn't check", async () => {
  const due = await post("Due");
  const current = await post("Checked", { checkDueAt: fromNow(3) });
  const archived = await post("Archived", { isArchived: true });
  const foreign = await post("Omar's", { createdBy: who.omar.id });
  const ids = [due, due, current, archived, foreign, "none"];
  const outcome = await check(who.devi, ids, "open");
  expect(outcome).toEqual({ result: "open", checked: 1, current: 1, gone: 3 });
  expect(buildCheckToast(outcome)).toEqual({
    kind: "warning",
    title: "Marked 1 listing as still open",
    description:
      "Someone else has already checked 1 listing. 3 listings are no longer on the board.",
  });
  await expect(check(who.devi, [current, archived], "open")).rejects.toThrow(
    new Conflict(
      "Someone else has already checked 1 listing. 1 listing is no longer on the board.",
    ),
  );
  expect(await db.$count(jobChecks)).toBe(1);
});

test("a form without listings, or with too many, is refused", async () => {
  await expect(check(who.gita, [], "open")).rejects.toBeInstanceOf(Invalid);
  const many = Array.from({ length: 101 }, (_, number) => String(number));
  await expect(check(who.gita, many, "open")).rejects.toBeInstanceOf(Invalid);
});

test("when two people check the same listings, each listing is checked once", async () => {
  const ids = [];
  for (let number = 0; number < 8; number++) ids.push(await post(`Due ${number}`));
  const answers = await Promise.allSettled([
    check(who.gita, ids, "open"),
    check(who.devi, ids.toReversed(), "open"),
  ]);
  const checked = answers.map((one) => (one.status === "fulfilled" ? one.value.checked : 0));
  expect(checked[0]! + checked[1]!).toBe(8);
  expect(await db.$count(jobChecks)).toBe(8);
  expect(await db.$count(auditEvents, eq(auditEvents.event, "job.check"))).toBe(8);
});

test("a check and an archiving at the same time leave one consistent listing", async () => {
  for (let round = 0; round < 10; round++) {
    const id = await post(`Due ${round}`);
    await Promise.allSettled([
      check(who.gita, [id], "filled"),
      archiveJob(db, who.devi, id),
      check(who.devi, [id], "closed"),
    ]);
    const job = await jobRow(db, id);
    const checks = await db.select().from(jobChecks).where(eq(jobChecks.jobId, id));
    expect(job.isArchived).toBe(true);
    expect(checks.length).toBeLessThanOrEqual(1);
    expect(job.archivedReason).toBe(checks[0]?.result ?? null);
  }
});

test("a check is due as a review is, and says when its listing leaves the board", () => {
  const moment = new Date("2026-11-26T12:00:00Z");
  const ago = (days: number) => new Date(moment.getTime() - days * day);
  expect(describeUrgency({ checkDueAt: ago(2.5), liveUntil: null }, moment)).toMatchObject({
    due: { label: "Overdue 2 days", isOverdue: true },
    leaves: null,
  });
  expect(describeUrgency({ checkDueAt: ago(-6), liveUntil: ago(-13) }, moment)).toMatchObject({
    due: { label: "Due Wed, Dec 2", isOverdue: false },
    leaves: "Leaves the board Dec 9, 2026",
  });
});
