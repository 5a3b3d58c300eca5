import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import {
  company,
  listingFields,
  member,
  submission,
} from "../../../tests/support/rows/companies.ts";
import { insertJob, jobFields, type JobRow } from "../../../tests/support/rows/jobs.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import { listHistory } from "../../admin/history.server.ts";
import { setCompanyState } from "../../companies/decide/decide-companies.server.tsx";
import { addToFigure } from "../../jobs/figures/figures.server.ts";
import { findCompanyJob } from "../../jobs/manage/company-changes.server.ts";
import { deleteJob, updateJob } from "../../jobs/manage/job-commands.server.ts";
import { jobDays, jobs } from "../../jobs/tables.server.ts";
import { day, now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { findCompanyKey } from "../../seekers/tracker/replies.server.ts";
import { approveSubmissions } from "../decide/decide-submissions.server.tsx";
import { toDecisionSettings } from "../create-submitted-job.server.tsx";
import { checkOwnListing, closeEarlier, createChange } from "../own/change-own-listing.server.ts";
import { saveDraft, sendSubmission } from "../own/change-submission.server.ts";
import { getOwnSubmission, listOwnSubmissions } from "../own/own-submissions.server.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";
import { addListingsToCompany, removeListingFromCompany } from "./link-listings.server.ts";
import { listLinkable, listLinked } from "./list-linkable.server.ts";
import { linkMessages, maxLinked } from "./rules.ts";

const { db, asha, gita, devi } = await testPeople();
const config = testConfig({ RATE_LIMITS: "off" });
const settings = toDecisionSettings(config);
let own: Awaited<ReturnType<typeof company>>;

beforeEach(async () => {
  await db.execute(sql`delete from companies; delete from jobs; delete from audit_events`);
  own = await company(db);
  await member(db, own, asha);
});

const staffListing = (fields: JobRow = {}) =>
  insertJob(db, { createdBy: devi.id, checkedAt: now(), ...fields });
const link = (jobIds: string[], to = own, tx: Database = db) =>
  addListingsToCompany(tx, gita, { companyId: to.id, jobIds });
const unlink = (jobId: string, from = own, tx: Database = db) =>
  removeListingFromCompany(tx, gita, { companyId: from.id, jobId });
const jobOf = async (id: string) => (await findCompanyJob(db, id))!;
const submissionsOf = (jobId: string) =>
  db.select().from(jobSubmissions).where(eq(jobSubmissions.jobId, jobId));
const view = (jobId: string, times: number) =>
  addToFigure(db, "views", [{ jobId, day: "2026-11-20", times }]);
const listOwn = async () => (await listOwnSubmissions(db, asha, { after: null })).rows;

/** Links a listing of staff. @returns its id and that of its row in the members' list */
async function linked(fields: JobRow = {}) {
  const { id: jobId } = await staffListing(fields);
  await link([jobId]);
  const [row] = await submissionsOf(jobId);
  return { jobId, id: row!.id };
}

test("only listings without a page that name the company, in any case, can be linked", async () => {
  const exact = await staffListing({ postedAt: new Date("2026-01-02") });
  const upper = await staffListing({
    company: "SAMPLE studio",
    isArchived: true,
    postedAt: new Date("2026-01-01"),
  });
  const other = await staffListing({ company: "Sample Studios" });
  const foreign = await staffListing({ companyId: (await company(db)).id });
  const listed = await listLinkable(db, gita, own, null);
  expect(listed.rows.map(({ id }) => id)).toEqual([exact.id, upper.id]);
  for (const { id } of [other, foreign, { id: own.id }, { id: "none" }])
    await expect(link([exact.id, id])).rejects.toThrow(linkMessages.changed);
  expect((await jobOf(exact.id)).companyId).toBeNull();
  expect(await link([exact.id, upper.id, exact.id])).toBe(2);
  expect((await listLinkable(db, gita, own, null)).rows).toEqual([]);
  const both = (await listLinked(db, gita, own, null)).rows.map(({ id }) => id);
  expect(both.toSorted()).toEqual([exact.id, upper.id].toSorted());
  await deleteJob(db, gita, exact.id);
  expect((await listLinked(db, gita, own, null)).rows.map(({ id }) => id)).toEqual([upper.id]);
});

test("a form links 200 listings at once, and needs one", async () => {
  const ids: string[] = [];
  for (let added = 0; added <= maxLinked; added += 1) ids.push((await staffListing()).id);
  await expect(link([])).rejects.toThrow(linkMessages.noSelection);
  await expect(link(ids)).rejects.toThrow(linkMessages.selectionTooLarge);
  expect(await link(ids.slice(1))).toBe(maxLinked);
  const rest = await listLinkable(db, gita, own, null);
  expect(rest.rows.map(({ id }) => id)).toEqual(ids.slice(0, 1));
});

test("the history has both events with the company's name", async () => {
  const { jobId } = await linked();
  await unlink(jobId);
  const { events, names } = await listHistory(db, gita, { type: "job", id: jobId, after: null });
  expect(events.map(({ event, before, after }) => [event, before, after])).toEqual([
    ["company.unlink", { companyId: own.id }, null],
    ["company.link", null, { companyId: own.id }],
  ]);
  expect(names[own.id]).toBe(own.name);
});

test("a listing of staff stays as it is, and doesn't lapse after its members' word or change", async () => {
  const { id: jobId } = await staffListing();
  const before = await jobOf(jobId);
  await link([jobId]);
  expect(await jobOf(jobId)).toEqual({ ...before, companyId: own.id });
  const { id } = (await submissionsOf(jobId))[0]!;
  await checkOwnListing(db, asha, { id, result: "open" }, config.checks);
  expect(await jobOf(jobId)).toMatchObject({ lapses: false, liveUntil: null });
  const change = await createChange(db, asha, id);
  await saveDraft(db, asha, { id: change, version: 1, fields: listingFields });
  await sendSubmission(db, asha, { id: change, version: 2 }, settings);
  const approved = await approveSubmissions(db, gita, [{ id: change, version: 3 }], settings);
  expect(approved).toEqual({ published: 1, payable: 0, refusals: [] });
  expect(await jobOf(jobId)).toMatchObject({
    title: "Type Designer",
    createdBy: devi.id,
    lapses: false,
    liveUntil: null,
  });
  // Its owner still edits it.
  await updateJob(db, devi, jobId, { ...jobFields, location: "Kochi" });
  expect((await jobOf(jobId)).location).toBe("Kochi");
});

test("members see a linked listing and its figures from then on", async () => {
  const { id: jobId } = await staffListing();
  await view(jobId, 3);
  await link([jobId]);
  await view(jobId, 4);
  expect(await listOwn()).toMatchObject([{ state: "live", job: { id: jobId }, change: null }]);
  const days = await db.select().from(jobDays).where(eq(jobDays.jobId, jobId));
  expect(days).toMatchObject([{ views: 4 }]);
  await unlink(jobId);
  await view(jobId, 5);
  expect(await listOwn()).toEqual([]);
  expect(await db.select().from(jobDays).where(eq(jobDays.jobId, jobId))).toEqual(days);
});

test("answers about replies count for the company while the listing is linked", async () => {
  const { id: jobId } = await staffListing();
  const tracked = { jobId, company: "Sample Studio" };
  await trackedJob(db, asha, { jobId });
  expect(await findCompanyKey(db, tracked)).toBe("name:sample studio");
  await link([jobId]);
  expect(await findCompanyKey(db, tracked)).toBe(`company:${own.id}`);
  await unlink(jobId);
  expect(await findCompanyKey(db, tracked)).toBe("name:sample studio");
});

test("only a listing that staff linked can be taken away, from the company that has it", async () => {
  const others = await company(db);
  const { jobId } = await linked();
  const { id: postedJob } = await staffListing({ companyId: own.id });
  await submission(db, own, asha, "live", { jobId: postedJob });
  for (const [id, from] of [
    [jobId, others],
    [postedJob, own],
    ["none", own],
  ] as const)
    await expect(unlink(id, from)).rejects.toThrow(linkMessages.notLinked);
  await unlink(jobId);
  await expect(unlink(jobId)).rejects.toThrow(linkMessages.notLinked);
  expect(await submissionsOf(jobId)).toEqual([]);
  await link([jobId], others);
  expect((await jobOf(jobId)).companyId).toBe(others.id);
});

test("an unlinked listing leaves its change to the company, and its imports", async () => {
  const { jobId, id } = await linked();
  const change = await createChange(db, asha, id);
  await saveDraft(db, asha, { id: change, version: 1, fields: listingFields });
  await sendSubmission(db, asha, { id: change, version: 2 }, settings);
  await db.insert(jobSources).values({
    companyId: own.id,
    provider: "lever",
    board: "own",
    externalId: "1",
    hash: "",
    jobId,
    seenAt: now(),
  });
  await unlink(jobId);
  expect(await db.select().from(jobSources)).toMatchObject([{ jobId: null }]);
  const before = await jobOf(jobId);
  // The admin read it before.
  for (const version of [3, 4])
    expect(await approveSubmissions(db, gita, [{ id: change, version }], settings)).toMatchObject({
      published: 0,
    });
  expect(await jobOf(jobId)).toEqual(before);
  expect(await listOwn()).toMatchObject([{ id: change, state: "waiting" }]);
  await expect(getOwnSubmission(db, asha, id)).rejects.toThrow(NotFound);
});

test("only approved companies get listings, and a hidden one loses none", async () => {
  const { id: jobId } = await staffListing();
  const fresh = await company(db, { state: "new" });
  await expect(link([jobId], fresh)).rejects.toThrow(linkMessages.notApproved);
  await link([jobId]);
  await setCompanyState(db, gita, { companyId: own.id, state: "hidden" });
  expect(await listOwn()).toEqual([]);
  expect(await jobOf(jobId)).toMatchObject({ companyId: own.id, isOpen: true });
  const { id: second } = await staffListing();
  await expect(link([second])).rejects.toThrow(linkMessages.notApproved);
  await unlink(jobId);
});

test("a company that is hidden at the same time gets no listing", async () => {
  const { id: jobId } = await staffListing();
  const results = await overlap(
    db,
    (tx) => setCompanyState(tx, gita, { companyId: own.id, state: "hidden" }),
    (tx) => link([jobId], own, tx),
  );
  expect(results[1]).toMatchObject({ reason: { message: linkMessages.notApproved } });
  expect((await jobOf(jobId)).companyId).toBeNull();
});

test("of two admins who link a listing to two companies at once, one has an effect", async () => {
  const others = await company(db);
  const { id: jobId } = await staffListing();
  const results = await overlap(
    db,
    (tx) => link([jobId], own, tx),
    (tx) => link([jobId], others, tx),
  );
  expect(results).toMatchObject([
    { status: "fulfilled" },
    { reason: { message: linkMessages.changed } },
  ]);
  expect((await jobOf(jobId)).companyId).toBe(own.id);
  expect(await submissionsOf(jobId)).toMatchObject([{ companyId: own.id }]);
});

const closesOn = toIsoDay(new Date(now().getTime() + 9 * day));
const membersCommands: [string, (tx: Database, id: string) => Promise<unknown>][] = [
  ["starts a change", (tx, id) => createChange(tx, asha, id)],
  [
    "says that it is filled",
    (tx, id) => checkOwnListing(tx, asha, { id, result: "filled" }, config.checks),
  ],
  ["closes it earlier", (tx, id) => closeEarlier(tx, asha, { id, closesOn }, config.checks)],
];

test.each(membersCommands)(
  "a member who %s while it is unlinked changes nothing",
  async (_name, run) => {
    const { jobId, id } = await linked();
    const results = await overlap(
      db,
      (tx) => unlink(jobId, own, tx),
      (tx) => run(tx, id),
    );
    expect(results).toMatchObject([{ status: "fulfilled" }, { reason: expect.any(NotFound) }]);
    expect(await jobOf(jobId)).toMatchObject({ companyId: null, isOpen: true, closesOn: null });
    expect(await submissionsOf(jobId)).toEqual([]);
  },
);

test("an approval that overlaps with unlinking has no effect", async () => {
  const { jobId, id } = await linked();
  const change = await createChange(db, asha, id);
  await saveDraft(db, asha, { id: change, version: 1, fields: listingFields });
  await sendSubmission(db, asha, { id: change, version: 2 }, settings);
  const results = await overlap(
    db,
    (tx) => unlink(jobId, own, tx),
    (tx) => approveSubmissions(tx, gita, [{ id: change, version: 3 }], settings),
  );
  expect(results[1]).toMatchObject({ value: { published: 0 } });
  expect((await jobOf(jobId)).title).toBe("Product Designer");
});

test("a listing that is deleted or renamed at the same time isn't linked", async () => {
  for (const change of [
    (tx: Database, id: string) => deleteJob(tx, gita, id),
    (tx: Database, id: string) => tx.update(jobs).set({ company: "Other" }).where(eq(jobs.id, id)),
  ]) {
    const { id: jobId } = await staffListing();
    const results = await overlap(
      db,
      (tx) => change(tx, jobId),
      (tx) => link([jobId], own, tx),
    );
    expect(results[1]).toMatchObject({ reason: { message: linkMessages.changed } });
    expect(await submissionsOf(jobId)).toEqual([]);
  }
});
