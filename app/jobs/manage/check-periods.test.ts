import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { sentBy } from "../../../tests/support/requests/asked.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { insertJobs, jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import { day, now, toIsoDay } from "../../platform/clock.ts";
import { Invalid } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { getClosingEnd } from "../check-rules.ts";
import { findJob } from "../listing/find-job.server.ts";
import { jobChecks, jobs } from "../tables.server.ts";
import {
  archiveJob,
  createJob,
  defaultPublishing,
  unarchiveJob,
  updateJob,
} from "./job-commands.server.ts";
import { restoreListing } from "./restore-listing.server.ts";
import { countListings, listListings, manageJobsAction } from "./job-management.server.ts";

const { db, ...who } = await testPeople();

beforeEach(async () => {
  await db.delete(jobs);
  await db.delete(auditEvents);
});

const fromNow = (days: number) => new Date(now().getTime() + days * day);
const dayFromNow = (days: number) => toIsoDay(fromNow(days));

const listChecks = () => db.select().from(jobChecks);

test.each(["devi", "gita"] as const)("a listing of staff (%s) counts as checked", async (name) => {
  const id = await createJob(db, who[name], jobFields);
  const { postedAt, publishedAt, checkedAt, checkDueAt, liveUntil, lapses } = await jobRow(db, id);
  expect([publishedAt, checkedAt]).toEqual([postedAt, postedAt]);
  expect(checkDueAt.getTime() - postedAt.getTime()).toBe(14 * day);
  expect({ liveUntil, lapses }).toEqual({ liveUntil: null, lapses: false });
  expect(await listChecks()).toMatchObject([
    { jobId: id, kind: "staff", result: "open", actorId: who[name].id, at: postedAt },
  ]);
});

test("a subscriber's listing is unchecked and lapses after 14 days", async () => {
  const id = await createJob(db, who.sonia, jobFields);
  const { postedAt, checkedAt, checkDueAt, liveUntil, lapses } = await jobRow(db, id);
  expect({ checkedAt, lapses }).toEqual({ checkedAt: null, lapses: true });
  expect(checkDueAt.getTime() - postedAt.getTime()).toBe(7 * day);
  expect(liveUntil!.getTime() - postedAt.getTime()).toBe(14 * day);
  expect(await listChecks()).toEqual([]);
});

test("the settings decide when a check is due, and if staff's listings lapse", async () => {
  const settings = { ...defaultPublishing, checkEvery: 3 * day, lapsesAll: true };
  const id = await createJob(db, who.devi, jobFields, undefined, settings);
  const { postedAt, checkDueAt, liveUntil } = await jobRow(db, id);
  expect(checkDueAt.getTime() - postedAt.getTime()).toBe(3 * day);
  expect(liveUntil!.getTime() - postedAt.getTime()).toBe(10 * day);
});

test("a listing leaves the board after its closing date, and an edit moves that", async () => {
  const closesOn = dayFromNow(5);
  const id = await createJob(db, who.devi, { ...jobFields, closesOn });
  expect((await jobRow(db, id)).liveUntil).toEqual(getClosingEnd(closesOn));
  const later = dayFromNow(9);
  await updateJob(db, who.devi, id, { ...jobFields, closesOn: later });
  expect((await jobRow(db, id)).liveUntil).toEqual(getClosingEnd(later));
  // A form without the field changes nothing.
  await updateJob(db, who.devi, id, { ...jobFields, title: "Type Designer" });
  expect(await jobRow(db, id)).toMatchObject({ closesOn: later, liveUntil: getClosingEnd(later) });
  await updateJob(db, who.devi, id, { ...jobFields, closesOn: null });
  expect(await jobRow(db, id)).toMatchObject({ closesOn: null, liveUntil: null });
});

test("a subscriber's closing date can't keep an unchecked listing longer", async () => {
  const id = await createJob(db, who.sonia, { ...jobFields, closesOn: dayFromNow(60) });
  const { postedAt, liveUntil } = await jobRow(db, id);
  expect(liveUntil!.getTime() - postedAt.getTime()).toBe(14 * day);
  await updateJob(db, who.sonia, id, { ...jobFields, closesOn: dayFromNow(90) });
  expect((await jobRow(db, id)).liveUntil).toEqual(liveUntil);
});

test("an edit doesn't bring a lapsed listing back", async () => {
  const id = await createJob(db, who.devi, jobFields);
  await db.update(jobs).set({ closesOn: dayFromNow(-2), liveUntil: fromNow(-1) });
  await updateJob(db, who.devi, id, { ...jobFields, closesOn: dayFromNow(9) });
  expect(await findJob(db, who.devi, id)).toMatchObject({ state: "archived" });
});

test("the closing date is from today to 180 days ahead", async () => {
  stopClock();
  const create = (closesOn: string) => createJob(db, who.devi, { ...jobFields, closesOn });
  await create(dayFromNow(0));
  await create(dayFromNow(180));
  await expect(create(dayFromNow(-1))).rejects.toThrow(
    new Invalid({ closesOn: "Choose today or a later date." }),
  );
  await expect(create(dayFromNow(181))).rejects.toThrow(
    new Invalid({ closesOn: "Choose a date within the next 180 days." }),
  );
  expect(await db.$count(jobs)).toBe(2);
});

test("a listing whose closing date has passed can still be edited", async () => {
  const id = await createJob(db, who.devi, jobFields);
  const closesOn = dayFromNow(-3);
  await db.update(jobs).set({ isArchived: true, archivedReason: "date", closesOn });
  await updateJob(db, who.devi, id, { ...jobFields, title: "Type Designer", closesOn });
  expect(await jobRow(db, id)).toMatchObject({ title: "Type Designer", closesOn });
});

test.each([
  ["2026-02-30", "Enter a date, such as 2026-12-31."],
  ["soon", "Enter a date, such as 2026-12-31."],
  ["1999-01-01", "Choose today or a later date."],
])("the form refuses the closing date %s at its field", async (closesOn, message) => {
  const form = { ...jobFields, intent: "create-job", hasDetails: "yes", closesOn };
  const filled = Object.entries(form).map(([name, value]) => [name, value ?? ""] as const);
  const typed = Object.fromEntries(filled);
  const { toasts, ...sent } = sentBy(db, who.devi, typed, { path: "/job-board?new" });
  const answer = await manageJobsAction(sent);
  expect(answer).toMatchObject({ data: { errors: { closesOn: message }, values: { closesOn } } });
  expect(toasts).toEqual([]);
});

const everything = { search: "", type: null, after: null };

test.each([
  ["gita", "all"],
  ["devi", "own"],
] as const)("a lapsed listing counts as archived for %s, with the reason", async (name, scope) => {
  const lapsed = { liveUntil: fromNow(-1) };
  const checkDueAt = new Date("2026-03-02T12:00:00Z");
  const states = {
    Open: {},
    Filled: { isArchived: true, archivedReason: "filled" },
    Unanswered: { ...lapsed, checkDueAt },
    Unchecked: { ...lapsed, checkedAt: null, lapses: true },
    Dated: { closesOn: "2026-03-01", liveUntil: getClosingEnd("2026-03-01") },
    "By hand": { isArchived: true },
  } as const;
  const base = { createdBy: who.devi.id, checkedAt: fromNow(-22) };
  const rows = Object.entries(states).map(([title, state], index) => ({
    ...base,
    postedAt: fromNow(-index - 1),
    title,
    ...state,
  }));
  await insertJobs(db, rows);
  const list = async (isArchived: boolean) => {
    const found = await listListings(db, who[name], scope, { ...everything, isArchived });
    return found.rows.map(({ title }) => title);
  };
  expect(await list(false)).toEqual(["Open"]);
  expect(await list(true)).toEqual(["Filled", "Unanswered", "Unchecked", "Dated", "By hand"]);
  expect(await countListings(db, who[name], scope)).toEqual({
    open: { counted: 1, isMore: false },
    archived: { counted: 5, isMore: false },
  });
});

test("archived listings page forward and back across both kinds", async () => {
  const rows = Array.from({ length: 60 }, (_, number) => ({
    title: `Job ${number}`,
    createdBy: who.devi.id,
    postedAt: fromNow(-number),
    ...(number % 2 === 0 ? { isArchived: true } : { liveUntil: fromNow(-0.5) }),
  }));
  await insertJobs(db, rows);
  const list = (after: string | null) =>
    listListings(db, who.gita, "all", { ...everything, isArchived: true, after });
  const first = await list(null);
  const second = await list(first.next);
  const third = await list(second.next);
  const titles = [first, second, third].flatMap((page) => page.rows.map(({ title }) => title));
  expect(titles).toEqual(rows.map(({ title }) => title));
  const back = await list(second.previous);
  expect(back.rows).toEqual(first.rows);
});

test("unarchiving starts a new check period and clears the reason and a past closing date", async () => {
  const id = await createJob(db, who.devi, jobFields);
  await db.delete(jobChecks);
  const past = { closesOn: dayFromNow(-3), archivedReason: "date" } as const;
  await db
    .update(jobs)
    .set({ isArchived: true, ...past, liveUntil: fromNow(-2), checkDueAt: fromNow(-9) });
  await unarchiveJob(db, who.devi, id);
  const job = await jobRow(db, id);
  expect(job).toMatchObject({
    isArchived: false,
    archivedReason: null,
    closesOn: null,
    liveUntil: null,
  });
  expect(job.checkDueAt.getTime() - job.checkedAt!.getTime()).toBe(14 * day);
  expect(await listChecks()).toMatchObject([{ jobId: id, kind: "staff", actorId: who.devi.id }]);
  const [event] = await db.select().from(auditEvents).where(eq(auditEvents.event, "job.unarchive"));
  expect(event).toMatchObject({
    before: { isArchived: true, ...past },
    after: { isArchived: false, archivedReason: null, closesOn: null },
  });
  expect(await findJob(db, null, id)).toMatchObject({ state: "open" });
});

test("a lapsed listing that the task hasn't archived yet can be put back", async () => {
  const id = await createJob(db, who.devi, jobFields);
  await db.update(jobs).set({ liveUntil: fromNow(-1), checkDueAt: fromNow(-8) });
  await unarchiveJob(db, who.devi, id);
  expect(await findJob(db, null, id)).toMatchObject({ state: "open" });
});

test("a subscriber who puts a listing back doesn't check it", async () => {
  const id = await createJob(db, who.sonia, { ...jobFields, closesOn: dayFromNow(60) });
  await archiveJob(db, who.sonia, id);
  await db.update(jobs).set({ checkedAt: fromNow(-30), liveUntil: fromNow(-1) });
  await unarchiveJob(db, who.sonia, id);
  const { checkedAt, checkDueAt, liveUntil, closesOn } = await jobRow(db, id);
  expect({ checkedAt, closesOn }).toEqual({ checkedAt: null, closesOn: dayFromNow(60) });
  expect(liveUntil!.getTime() - checkDueAt.getTime()).toBe(7 * day);
  expect(await listChecks()).toEqual([]);
});

test("archiving and unarchiving doesn't renew the first period of a subscriber's listing", async () => {
  const id = await createJob(db, who.sonia, jobFields);
  const dates = { checkDueAt: fromNow(-3), liveUntil: fromNow(4) };
  await db.update(jobs).set(dates);
  for (let turn = 0; turn < 3; turn++) {
    await archiveJob(db, who.sonia, id);
    const at = await unarchiveJob(db, who.sonia, id);
    await restoreListing(db, who.sonia, { id, at: at! });
    await unarchiveJob(db, who.sonia, id);
  }
  expect(await jobRow(db, id)).toMatchObject({ ...dates, checkedAt: null, isArchived: false });
});

test("a past closing date is cleared, and the first period still ends when it would have", async () => {
  const id = await createJob(db, who.sonia, jobFields);
  const checkDueAt = fromNow(-3);
  await db
    .update(jobs)
    .set({ isArchived: true, closesOn: dayFromNow(-2), checkDueAt, liveUntil: fromNow(-1) });
  await unarchiveJob(db, who.sonia, id);
  const { closesOn, liveUntil } = await jobRow(db, id);
  expect({ closesOn, ends: liveUntil!.getTime() - checkDueAt.getTime() }).toEqual({
    closesOn: null,
    ends: 7 * day,
  });
});

test("a listing that nobody checked in time is put back by an admin only", async () => {
  const id = await createJob(db, who.sonia, jobFields);
  await db.update(jobs).set({ checkDueAt: fromNow(-8), liveUntil: fromNow(-1) });
  const putBack = () => unarchiveJob(db, who.sonia, id);
  await expect(putBack()).rejects.toThrow("nobody checked it in time");
  await db.update(jobs).set({ isArchived: true, archivedReason: "unanswered" });
  await expect(putBack()).rejects.toThrow("nobody checked it in time");
  await unarchiveJob(db, who.gita, id);
  expect(await findJob(db, null, id)).toMatchObject({ state: "open" });
});

test("two people who put a listing back at once cause one check", async () => {
  const id = await createJob(db, who.devi, jobFields);
  await archiveJob(db, who.devi, id);
  await db.delete(jobChecks);
  await Promise.all([who.devi, who.gita, who.devi].map((one) => unarchiveJob(db, one, id)));
  expect(await listChecks()).toHaveLength(1);
  expect(await db.$count(auditEvents, eq(auditEvents.event, "job.unarchive"))).toBe(1);
});
