import { randomUUID } from "node:crypto";
import { eq, ne, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { overlap } from "../../tests/support/product/overlap.ts";
import {
  changeOfListing,
  company,
  listingFields,
  member,
  submission,
} from "../../tests/support/rows/companies.ts";
import { insertJob } from "../../tests/support/rows/jobs.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { findJob } from "../jobs/listing/find-job.server.ts";
import { findCompanyJob, getBaseVersion } from "../jobs/manage/company-changes.server.ts";
import {
  archiveJob,
  deleteJob,
  unarchiveJob,
  updateJob,
} from "../jobs/manage/job-commands.server.ts";
import { jobChecks, jobs } from "../jobs/tables.server.ts";
import { day, now, toIsoDay } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { approveSubmissions, returnSubmission } from "./decide/decide-submissions.server.tsx";
import { toDecisionSettings } from "./create-submitted-job.server.tsx";
import { listSameTexts } from "./decide/list-same-texts.server.ts";
import { checkOwnListing, closeEarlier, createChange } from "./own/change-own-listing.server.ts";
import {
  createDraft,
  removeSubmission,
  saveDraft,
  sendSubmission,
  withdrawSubmission,
} from "./own/change-submission.server.ts";
import { listOwnSubmissions } from "./own/own-submissions.server.ts";
import { maxDrafts, maxWaiting } from "./rules.ts";
import { jobSubmissions } from "./tables.server.ts";

const { db, asha, ravi, gita } = await testPeople();
const config = testConfig({ RATE_LIMITS: "off" });
const settings = toDecisionSettings(config);
let own: Awaited<ReturnType<typeof company>>;

beforeEach(async () => {
  await db.execute(
    sql`delete from companies; delete from jobs; delete from mails; delete from audit_events`,
  );
  own = await company(db);
  await member(db, own, asha);
});

const rowOf = async (id: string) => {
  const [row] = await db.select().from(jobSubmissions).where(eq(jobSubmissions.id, id));
  return row!;
};
const jobOf = async (id: string) => (await findCompanyJob(db, id))!;
const approve = (id: string, baseVersion?: string, version = 1) =>
  approveSubmissions(db, gita, [{ id, version, baseVersion }], settings);
// Midnight may pass during a test.
const start = now().getTime();
const inDays = (days: number) => toIsoDay(new Date(start + days * day));
const listOwn = async () => (await listOwnSubmissions(db, asha, { after: null })).rows;

/** A change by staff of the same listing. */
async function editByStaff(tx: Database, jobId: string) {
  const stored = (await findCompanyJob(tx, jobId))!;
  const largeDescription = "Draws on walls.";
  await updateJob(tx, gita, jobId, { ...stored, largeDescription, location: "Kochi" });
}

test("a member changes a published listing, which stays as it is until an admin publishes the change", async () => {
  const listing = await submission(db, own, asha, "live");
  const jobId = (await rowOf(listing)).jobId!;
  await db
    .update(jobs)
    .set({
      payMin: 1_200_000,
      payMax: 1_500_000,
      payPeriod: "year",
      skillIds: [1],
      checkEmail: "hr@example.com",
    })
    .where(eq(jobs.id, jobId));
  const before = await jobOf(jobId);
  const id = await createChange(db, asha, listing);
  const { fields } = await rowOf(id);
  expect(fields).toMatchObject({
    title: before.title,
    location: before.location,
    payPeriod: "year",
  });
  const change = { ...fields, ...listingFields };
  await saveDraft(db, asha, { id, version: 1, fields: change });
  await sendSubmission(db, asha, { id, version: 2 }, settings);
  expect(await jobOf(jobId)).toEqual(before);
  expect(await approve(id, undefined, 3)).toEqual({ published: 1, payable: 0, refusals: [] });
  const after = await jobOf(jobId);
  expect(after).toMatchObject({
    title: "Type Designer",
    company: "Sample Studio",
    pocContact: "lalita@example.com",
    payMin: 1_200_000,
    payMax: 1_500_000,
    skillIds: [1],
    checkEmail: "hr@example.com",
    postedAt: before.postedAt,
    publishedAt: before.publishedAt,
    createdBy: before.createdBy,
    companyId: own.id,
    lapses: true,
    isOpen: true,
    updatedAt: expect.any(Date),
  });
  expect(after.checkedAt).not.toEqual(before.checkedAt);
  const [check] = await db.select().from(jobChecks).where(eq(jobChecks.jobId, jobId));
  expect(check).toMatchObject({ kind: "company", result: "open", actorId: asha.id });
  expect(await rowOf(id)).toMatchObject({ state: "live", jobId, fields: {}, decidedBy: gita.id });
  const events = await db.select().from(auditEvents);
  expect(events.map(({ event, actorId }) => [event, actorId])).toEqual([["job.update", gita.id]]);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("Your change of “Type Designer” is published");
});

test("a change that isn't touched has the published text, and isn't sent", async () => {
  const listing = await submission(db, own, asha, "live");
  const jobId = (await rowOf(listing)).jobId!;
  await editText(jobId);
  const id = await createChange(db, asha, listing);
  const sent = sendSubmission(db, asha, { id, version: 1 }, settings);
  await expect(sent).rejects.toThrow("Nothing differs");
});

/** Gives a listing the company's name and everything that a company's listing must have. */
async function editText(jobId: string) {
  await db
    .update(jobs)
    .set({
      company: own.name,
      largeDescription: "Draws.",
      pocName: "Lalita",
      pocContact: "lalita@example.com",
      workMode: "remote",
      applicantPlaceIds: [0],
      placeIds: [],
      payMin: 90_000,
      payMax: 90_000,
      payPeriod: "month",
      rounds: 3,
      testTask: "paid",
      testTaskHours: 4,
      answerDays: 7,
      closesOn: inDays(60),
    })
    .where(eq(jobs.id, jobId));
}

test("a listing and its change are one row, and the row follows the change", async () => {
  const other = await submission(db, own, asha, "draft");
  const { id, listing } = await changeOfListing(db, own, asha, "waiting");
  expect(await listOwn()).toMatchObject([
    { id: listing, state: "live", change: { id, state: "waiting", reason: null } },
    { id: other, change: null },
  ]);
  await returnSubmission(db, gita, { id, version: 1, reason: "Name the city." }, settings);
  expect((await listOwn())[0]).toMatchObject({
    change: { state: "returned", reason: "Name the city." },
  });
  const [mail] = await mailsTo(db, asha.email);
  expect([mail!.subject, mail!.text]).toEqual([
    "Please edit your change of “Type Designer”",
    expect.stringContaining("The published listing stays as it is."),
  ]);
  await removeSubmission(db, asha, id);
  expect(await listOwn()).toMatchObject([{ id: listing, change: null }, { id: other }]);
  expect(await createChange(db, asha, listing)).not.toBe(id);
});

test("the warning of the same summary elsewhere leaves out the listing that a change is of", async () => {
  const summary = "You draw the letters for shop signs in Pune, by hand.";
  const { jobId } = await changeOfListing(db, own, asha, "waiting");
  await db.update(jobs).set({ description: summary }).where(eq(jobs.id, jobId));
  const same = await insertJob(db, { description: summary });
  const listed = await listSameTexts(db, summary, jobId);
  expect(listed.map(({ id }) => id)).toEqual([same.id]);
});

test("two members who start a change at once get the same one", async () => {
  await member(db, own, ravi, { role: "member" });
  const listing = await submission(db, own, asha, "live");
  const results = await overlap(
    db,
    (tx) => createChange(tx, asha, listing),
    (tx) => createChange(tx, ravi, listing),
  );
  expect(results[1]).toMatchObject({ status: "fulfilled" });
  const changes = (await db.select().from(jobSubmissions)).filter(({ baseVersion }) => baseVersion);
  expect(changes).toHaveLength(1);
  expect(results[1]).toMatchObject({ value: changes[0]!.id });
});

test("changes count in the limits of drafts and of listings that wait", async () => {
  const listing = await submission(db, own, asha, "live");
  const id = await createChange(db, asha, listing);
  for (let more = 1; more < maxDrafts; more += 1) await submission(db, own, asha, "draft");
  const draft = { id: randomUUID(), companyId: own.id };
  await expect(createDraft(db, asha, draft)).rejects.toThrow(`${maxDrafts} drafts`);
  const second = await submission(db, own, asha, "live");
  // One that is open already goes on.
  expect(await createChange(db, asha, listing)).toBe(id);
  await removeSubmission(db, asha, id);
  await createChange(db, asha, second);
  await expect(createChange(db, asha, listing)).rejects.toThrow(`${maxDrafts} drafts`);

  for (let sent = 0; sent < maxWaiting; sent += 1) await changeOfListing(db, own, asha, "waiting");
  const [last] = await db.select().from(jobSubmissions).where(eq(jobSubmissions.state, "draft"));
  await expect(
    sendSubmission(
      db,
      asha,
      { id: last!.id, version: last!.version, fields: listingFields },
      settings,
    ),
  ).rejects.toThrow(`${maxWaiting} listings waiting`);
});

test("only an open listing of the company can be changed or closed earlier", async () => {
  const closed = await submission(db, own, asha, "live");
  const jobId = (await rowOf(closed)).jobId!;
  await archiveJob(db, gita, jobId);
  const others = await company(db);
  await member(db, others, ravi);
  const foreign = await submission(db, others, ravi, "live");
  for (const [id, message] of [
    [closed, "not on the board"],
    [foreign, "not found"],
    [await submission(db, own, asha, "waiting"), "not on the board"],
  ] as const) {
    await expect(createChange(db, asha, id)).rejects.toThrow(message);
    const closing = closeEarlier(db, asha, { id, closesOn: inDays(9) }, config.checks);
    await expect(closing).rejects.toThrow(message);
  }
});

test("a change isn't published over text that staff changed meanwhile, unless the admin saw it", async () => {
  const { id, jobId } = await changeOfListing(db, own, asha, "waiting");
  await editByStaff(db, jobId);
  const { published, refusals } = await approve(id);
  expect([published, refusals]).toEqual([0, [expect.stringContaining("no longer as it was")]]);
  const seen = await jobOf(jobId);
  expect(seen.location).toBe("Kochi");
  await db.update(jobs).set({ compensation: "₹9 LPA" }).where(eq(jobs.id, jobId));
  expect(await approve(id, getBaseVersion(seen))).toMatchObject({ published: 0 });
  expect(await rowOf(id)).toMatchObject({ state: "waiting", version: 1 });
  expect(await approve(id, getBaseVersion(await jobOf(jobId)))).toMatchObject({ published: 1 });
  expect(await jobOf(jobId)).toMatchObject({ location: "Pune" });
});

test("a change of a listing that left the board stays, and is only published by an admin who saw that", async () => {
  const { id, jobId, listing } = await changeOfListing(db, own, asha, "waiting");
  await checkOwnListing(db, asha, { id: listing, result: "filled" }, config.checks);
  expect((await approve(id)).published).toBe(0);
  await withdrawSubmission(db, asha, id);
  const sent = () => sendSubmission(db, asha, { id, version: 2 }, settings);
  await expect(sent()).rejects.toThrow("once the listing is back");
  expect((await rowOf(id)).fields).toMatchObject(listingFields);
  await unarchiveJob(db, gita, jobId);
  await sent();
  await archiveJob(db, gita, jobId);
  const seen = getBaseVersion(await jobOf(jobId));
  expect(await approve(id, seen, 3)).toMatchObject({ published: 1 });
  expect(await jobOf(jobId)).toMatchObject({ title: "Type Designer", isOpen: false });
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain("left the board meanwhile");
});

test("a change of a listing that lapsed is a conflict", async () => {
  const { id, jobId } = await changeOfListing(db, own, asha, "waiting");
  await db
    .update(jobs)
    .set({ liveUntil: new Date(now().getTime() - day) })
    .where(eq(jobs.id, jobId));
  expect((await approve(id)).published).toBe(0);
});

test("a change of a deleted listing isn't published, and can be sent as a new listing", async () => {
  const { id, jobId } = await changeOfListing(db, own, asha, "waiting");
  await deleteJob(db, gita, jobId);
  const { published, refusals } = await approve(id, "seen");
  expect([published, refusals]).toEqual([0, [expect.stringContaining("was deleted")]]);
  expect(await listOwn()).toMatchObject([{ id, state: "waiting", title: "Type Designer" }]);
  await returnSubmission(db, gita, { id, version: 1, reason: "It was deleted." }, settings);
  expect(await sendSubmission(db, asha, { id, version: 2 }, settings)).toBe("listing");
  expect(await approve(id, undefined, 3)).toMatchObject({ published: 1 });
  const again = (await rowOf(id)).jobId!;
  expect(again).not.toBe(jobId);
  expect(await findJob(db, null, again)).toMatchObject({ state: "open" });
});

type Ids = Awaited<ReturnType<typeof changeOfListing>>;
const approveAs = (tx: Database, { id }: Ids) =>
  approveSubmissions(tx, gita, [{ id, version: 1 }], settings);
const others: [string, (tx: Database, ids: Ids) => Promise<unknown>][] = [
  ["another admin's approval", approveAs],
  ["staff's edit", (tx, { jobId }) => editByStaff(tx, jobId)],
  ["a deletion", (tx, { jobId }) => deleteJob(tx, gita, jobId)],
  [
    "an earlier closing date",
    (tx, { listing: id }) => closeEarlier(tx, asha, { id, closesOn: inDays(9) }, config.checks),
  ],
  [
    "taking it back and discarding it",
    async (tx, { id }) => {
      await withdrawSubmission(tx, asha, id);
      await removeSubmission(tx, asha, id);
    },
  ],
];

test.each(others)(
  "an approval that overlaps with %s waits, and has no effect",
  async (_name, first) => {
    const ids = await changeOfListing(db, own, asha, "waiting");
    let approved: unknown;
    const results = await overlap(
      db,
      (tx) => first(tx, ids),
      async (tx) => (approved = await approveAs(tx, ids)),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(approved).toEqual({ published: 0, payable: 0, refusals: [expect.any(String)] });
  },
);

test.each(others)("%s that overlaps with an approval waits for it", async (name, second) => {
  const ids = await changeOfListing(db, own, asha, "waiting");
  const [, result] = await overlap(
    db,
    (tx) => approveAs(tx, ids),
    (tx) => second(tx, ids),
  );
  expect(result!.status).toBe(name.startsWith("taking") ? "rejected" : "fulfilled");
  expect((await rowOf(ids.id)).state).toBe("live");
});

test("a first or earlier closing date needs no admin, and a later one does", async () => {
  const listing = await submission(db, own, asha, "live");
  const jobId = (await rowOf(listing)).jobId!;
  const close = (closesOn: string) =>
    closeEarlier(db, asha, { id: listing, closesOn }, config.checks);
  await close(inDays(30));
  await close(inDays(20));
  expect(await jobOf(jobId)).toMatchObject({ closesOn: inDays(20), updatedAt: expect.any(Date) });
  for (const [date, message] of [
    [inDays(21), "Choose a date before"],
    [inDays(-2), "Choose today or a later date."],
  ] as const)
    await expect(close(date)).rejects.toMatchObject({
      fields: { closesOn: expect.stringContaining(message) },
    });
  await db.update(jobs).set({ closesOn: null }).where(eq(jobs.id, jobId));
  await expect(close(inDays(200))).rejects.toMatchObject({ name: "Invalid" });
  const events = await db.select().from(auditEvents);
  expect(events.map(({ event, actorId }) => [event, actorId])).toEqual([
    ["job.update", asha.id],
    ["job.update", asha.id],
  ]);
});

test("an earlier closing date ends the listing then, and its change goes on from it", async () => {
  const following = await changeOfListing(db, own, asha, "waiting");
  const dated = await changeOfListing(db, own, asha, "draft", {
    ...listingFields,
    closesOn: inDays(90),
  });
  for (const { listing } of [following, dated])
    await closeEarlier(db, asha, { id: listing, closesOn: inDays(9) }, config.checks);
  expect((await rowOf(following.id)).fields.closesOn).toBe(inDays(9));
  expect((await rowOf(dated.id)).fields.closesOn).toBe(inDays(90));
  expect((await approve(following.id)).refusals).toEqual([
    expect.stringContaining("has changed since you opened"),
  ]);
  expect(await approve(following.id, undefined, 2)).toEqual({
    published: 1,
    payable: 0,
    refusals: [],
  });
  const job = await jobOf(following.jobId);
  expect(job.closesOn).toBe(inDays(9));
  expect(toIsoDay(new Date(job.liveUntil!.getTime() - 1))).toBe(inDays(9));
});

test("the listing whose text or change was changed last is first, across companies and pages", async () => {
  const other = await company(db);
  await member(db, other, asha);
  const listings: string[] = [];
  for (let index = 0; index < 27; index += 1)
    listings.push(await submission(db, index % 2 ? own : other, asha, "live"));
  const [edited, changed, oldest] = listings as [string, string, string];
  const at = (minutes: number) => new Date(start + minutes * 60_000);
  await db.update(jobSubmissions).set({ updatedAt: at(1) });
  await db
    .update(jobSubmissions)
    .set({ updatedAt: at(2) })
    .where(ne(jobSubmissions.id, oldest));
  const { jobId } = await rowOf(edited);
  await db
    .update(jobs)
    .set({ updatedAt: at(4) })
    .where(eq(jobs.id, jobId!));
  const change = await createChange(db, asha, changed);
  await db
    .update(jobSubmissions)
    .set({ updatedAt: at(3) })
    .where(eq(jobSubmissions.id, change));

  const first = await listOwnSubmissions(db, asha, { after: null });
  const second = await listOwnSubmissions(db, asha, { after: first.next });
  const ids = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(ids.slice(0, 2)).toEqual([edited, changed]);
  expect(ids.at(-1)).toBe(oldest);
  expect(ids.toSorted()).toEqual(listings.toSorted());
});

test("an earlier change of a listing doesn't move it back", async () => {
  const listing = await submission(db, own, asha, "live");
  const before = await rowOf(listing);
  const earlier = new Date(before.changedAt.getTime() - day);
  await db.update(jobSubmissions).set({ updatedAt: earlier });
  await db.update(jobs).set({ updatedAt: earlier });
  expect((await rowOf(listing)).changedAt).toEqual(before.changedAt);
});
