import { and, eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { overlap } from "../../tests/support/product/overlap.ts";
import { company, listingFields, member, submission } from "../../tests/support/rows/companies.ts";
import { insertJob } from "../../tests/support/rows/jobs.ts";
import { mailsTo } from "../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import { setBan } from "../../tests/support/rows/admin-things.ts";
import { setCompanyState } from "../companies/decide/decide-companies.server.tsx";
import { companies } from "../companies/tables.server.ts";
import { hashContactAddress } from "../jobs/contact/contact-address.server.ts";
import { findJob } from "../jobs/listing/find-job.server.ts";
import { jobChecks, jobs, stoppedContacts } from "../jobs/tables.server.ts";
import { day, now, toIsoDay } from "../platform/clock.ts";
import { auditEvents } from "../platform/tables.server.ts";
import { approveSubmissions, returnSubmission } from "./decide/decide-submissions.server.tsx";
import { toDecisionSettings } from "./create-submitted-job.server.tsx";
import { listSameTexts } from "./decide/list-same-texts.server.ts";
import { listWaiting } from "./decide/list-waiting.server.ts";
import { checkOwnListing } from "./own/change-own-listing.server.ts";
import {
  createDraft,
  removeSubmission,
  saveDraft,
  sendSubmission,
  withdrawSubmission,
} from "./own/change-submission.server.ts";
import { getOwnSubmission, listOwnSubmissions } from "./own/own-submissions.server.ts";
import { maxDrafts, maxWaiting } from "./rules.ts";
import { jobSubmissions } from "./tables.server.ts";

const { db, asha, ravi, gita } = await testPeople();
const config = testConfig({ RATE_LIMITS: "off" });
const settings = toDecisionSettings(config);
let own: Awaited<ReturnType<typeof company>>;

beforeEach(async () => {
  await db.execute(sql`delete from companies; delete from jobs; delete from mails;
    delete from audit_events; delete from stopped_contacts; update users set banned_until = null`);
  own = await company(db);
  await member(db, own, asha);
});

const rowOf = async (id: string) => {
  const [row] = await db.select().from(jobSubmissions).where(eq(jobSubmissions.id, id));
  return row!;
};
const approve = (id: string, version = 1) =>
  approveSubmissions(db, gita, [{ id, version }], settings);

test("a published listing has the text that was sent, and is the company's and the admin's", async () => {
  const id = await createDraft(db, asha, { id: randomUUID(), companyId: own.id });
  const closesOn = toIsoDay(new Date(now().getTime() + 30 * day));
  const fields = { ...listingFields, discipline: "graphic", closesOn };
  await saveDraft(db, asha, { id, version: 1, fields });
  await sendSubmission(db, asha, { id, version: 2 }, settings);
  expect(await listOpenJobs()).toEqual([]);
  expect(await approve(id, 3)).toEqual({ published: 1, payable: 0, refusals: [] });
  const [job] = await listOpenJobs();
  expect(job).toMatchObject({
    title: "Type Designer",
    company: "Sample Studio",
    discipline: "graphic",
    closesOn,
    companyId: own.id,
    createdBy: gita.id,
    lapses: true,
    isArchived: false,
  });
  expect(job!.postedAt).toEqual(job!.publishedAt);
  const [check] = await db.select().from(jobChecks).where(eq(jobChecks.jobId, job!.id));
  expect(check).toMatchObject({ kind: "company", result: "open", actorId: asha.id });
  expect(await rowOf(id)).toMatchObject({
    state: "live",
    jobId: job!.id,
    fields: {},
    decidedBy: gita.id,
  });
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("Your listing “Type Designer” is live");
  expect(mail!.text).toContain(`/jobs/${job!.id}`);
});

const listOpenJobs = () => db.select().from(jobs).where(eq(jobs.isArchived, false));

test("a listing leaves the board if the company doesn't say that it is open", async () => {
  const id = await submission(db, own, asha, "waiting");
  await approve(id);
  const [job] = await listOpenJobs();
  const { checkEvery } = config.checks;
  expect(job!.checkDueAt).toEqual(new Date(job!.postedAt.getTime() + checkEvery));
  expect(job!.liveUntil).toEqual(new Date(job!.checkDueAt.getTime() + 7 * day));
});

test("the job's page links the company only while it is approved", async () => {
  const id = await submission(db, own, asha, "waiting");
  await approve(id);
  const jobId = (await rowOf(id)).jobId!;
  expect(await findJob(db, null, jobId)).toMatchObject({ companyPath: `/companies/${own.slug}` });
  await setCompanyState(db, gita, { companyId: own.id, state: "hidden" });
  expect(await findJob(db, null, jobId)).toMatchObject({ state: "open", companyPath: null });
});

test("the first listing of a new company approves the company", async () => {
  await db.update(companies).set({ state: "new", decidedAt: null }).where(eq(companies.id, own.id));
  await approve(await submission(db, own, asha, "waiting"));
  const [row] = await db.select().from(companies).where(eq(companies.id, own.id));
  expect(row).toMatchObject({ state: "approved", decidedBy: gita.id });
  const events = await db.select().from(auditEvents);
  expect(events.map(({ event }) => event).toSorted()).toEqual(["company.approve", "job.create"]);
});

test("of two admins who publish a listing at once, one does", async () => {
  const id = await submission(db, own, asha, "waiting");
  const read = [{ id, version: 1 }];
  const [one, other] = await overlap(
    db,
    (tx) => approveSubmissions(tx, gita, read, settings),
    (tx) => approveSubmissions(tx, gita, read, settings),
  );
  expect([one!.status, other!.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(await listOpenJobs()).toHaveLength(1);
  expect(await mailsTo(db, asha.email)).toHaveLength(1);
});

test("a listing that its company takes back and changes isn't published as it was read", async () => {
  const id = await submission(db, own, asha, "waiting");
  await withdrawSubmission(db, asha, id);
  await sendSubmission(
    db,
    asha,
    { id, version: 2, fields: { ...listingFields, description: "Pay ₹500 first." } },
    settings,
  );
  const { published, refusals } = await approve(id);
  expect([published, refusals]).toEqual([0, [expect.stringContaining("has changed")]]);
  expect(await listOpenJobs()).toEqual([]);
});

test("publishing and taking back at once have one effect", async () => {
  const id = await submission(db, own, asha, "waiting");
  await overlap(
    db,
    (tx) => withdrawSubmission(tx, asha, id),
    (tx) => approveSubmissions(tx, gita, [{ id, version: 1 }], settings),
  );
  expect((await rowOf(id)).state).toBe("draft");
  expect(await listOpenJobs()).toEqual([]);
});

test("of two members who save at once, the second keeps their text and sees a conflict", async () => {
  await member(db, own, ravi, { role: "member" });
  const id = await submission(db, own, asha, "draft");
  const [first, second] = await overlap(
    db,
    (tx) => saveDraft(tx, asha, { id, version: 1, fields: { title: "Asha's" } }),
    (tx) => saveDraft(tx, ravi, { id, version: 1, fields: { title: "Ravi's" } }),
  );
  expect(first!.status).toBe("fulfilled");
  expect(second).toMatchObject({ status: "rejected", reason: { name: "Conflict" } });
  expect((await rowOf(id)).fields).toEqual({ title: "Asha's" });
});

test("a returned listing has the reason, and can be changed and sent again", async () => {
  const id = await submission(db, own, asha, "waiting");
  const reason = "Say what you pay.";
  await returnSubmission(db, gita, { id, version: 1, reason }, settings);
  expect(await getOwnSubmission(db, asha, id)).toMatchObject({ state: "returned", reason });
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain(reason);
  expect(mail!.text).toContain(`/post/${id}`);
  await sendSubmission(db, asha, { id, version: 2 }, settings);
  expect(await rowOf(id)).toMatchObject({ state: "waiting", reason: null });
});

test.each([
  [{ title: "" }, { title: "Job title must be at least 3 characters" }],
  [{ pocName: "" }, { pocName: "Enter the name of a person whom designers can ask" }],
  [{ pocContact: "Ask us" }, { pocContact: expect.stringContaining("email address") }],
  [{ closesOn: "2020-01-01" }, { closesOn: "Choose today or a later date." }],
  [{ workMode: "remote" }, { applicantPlaces: expect.stringContaining("may live") }],
])("a listing with %j isn't sent", async (change, errors) => {
  const id = await submission(db, own, asha, "draft");
  const fields = { ...listingFields, ...change };
  await expect(
    sendSubmission(db, asha, { id, version: 1, fields }, settings),
  ).rejects.toMatchObject({ fields: errors });
  expect((await rowOf(id)).state).toBe("draft");
});

test("a listing whose closing date has passed meanwhile isn't published", async () => {
  const id = await submission(db, own, asha, "waiting", {
    fields: { ...listingFields, closesOn: "2020-01-01" },
  });
  expect(await approve(id)).toEqual({
    published: 0,
    payable: 0,
    refusals: ["Choose today or a later date."],
  });
  expect((await rowOf(id)).state).toBe("waiting");
});

test("a contact who had their name removed is in no listing that is sent or published", async () => {
  const id = await submission(db, own, asha, "waiting");
  const draft = await submission(db, own, asha, "draft");
  await db.insert(stoppedContacts).values({
    contactHash: hashContactAddress(config, "lalita@example.com"),
    reason: "withdrawn",
    at: now(),
  });
  expect((await approve(id)).refusals).toEqual(["This contact can't be published. Use another."]);
  await expect(sendSubmission(db, asha, { id: draft, version: 1 }, settings)).rejects.toThrow(
    "can't be published",
  );
});

test("at most five listings of a company wait", async () => {
  for (let sent = 0; sent < maxWaiting; sent += 1) await submission(db, own, asha, "waiting");
  const [one, other] = [
    await submission(db, own, asha, "draft"),
    await submission(db, own, asha, "draft"),
  ];
  await expect(sendSubmission(db, asha, { id: one, version: 1 }, settings)).rejects.toThrow(
    `${maxWaiting} listings waiting`,
  );
  const [waiting] = await db
    .select()
    .from(jobSubmissions)
    .where(and(eq(jobSubmissions.state, "waiting"), eq(jobSubmissions.companyId, own.id)))
    .limit(1);
  await withdrawSubmission(db, asha, waiting!.id);
  const results = await overlap(
    db,
    (tx) => sendSubmission(tx, asha, { id: one, version: 1 }, settings),
    (tx) => sendSubmission(tx, asha, { id: other, version: 1 }, settings),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("a company has a limited number of drafts, and a form sent twice starts one", async () => {
  const draft = { id: randomUUID(), companyId: own.id };
  expect(await createDraft(db, asha, draft)).toBe(draft.id);
  expect(await createDraft(db, asha, draft)).toBe(draft.id);
  expect((await listOwnSubmissions(db, asha, { after: null })).rows).toHaveLength(1);
  for (let more = 1; more < maxDrafts; more += 1) await submission(db, own, asha, "draft");
  await expect(createDraft(db, asha, { id: randomUUID(), companyId: own.id })).rejects.toThrow(
    `${maxDrafts} drafts`,
  );
});

test("another company's draft can't be taken over by its id", async () => {
  const others = await company(db);
  await member(db, others, ravi);
  const id = await submission(db, others, ravi, "draft");
  await expect(createDraft(db, asha, { id, companyId: own.id })).rejects.toThrow(
    "Listing not found",
  );
  expect((await rowOf(id)).companyId).toBe(others.id);
});

test("discarding deletes the text", async () => {
  const id = await submission(db, own, asha, "draft");
  await removeSubmission(db, asha, id);
  expect(await rowOf(id)).toMatchObject({ state: "discarded", fields: {} });
  expect((await listOwnSubmissions(db, asha, { after: null })).rows).toEqual([]);
});

test("a published listing that an admin deletes leaves its company's list", async () => {
  const id = await submission(db, own, asha, "live");
  await db.delete(jobs).where(eq(jobs.id, (await rowOf(id)).jobId!));
  expect((await listOwnSubmissions(db, asha, { after: null })).rows).toEqual([]);
});

test("a member's answer is a check by the company, and filled takes the listing off the board", async () => {
  const id = await submission(db, own, asha, "live");
  const jobId = (await rowOf(id)).jobId!;
  await checkOwnListing(db, asha, { id, result: "open" }, config.checks);
  await checkOwnListing(db, asha, { id, result: "filled" }, config.checks);
  const checks = await db.select().from(jobChecks).where(eq(jobChecks.jobId, jobId));
  expect(checks.map(({ kind, result }) => [kind, result])).toEqual([
    ["company", "open"],
    ["company", "filled"],
  ]);
  expect(await findJob(db, null, jobId)).toMatchObject({ state: "archived" });
});

test("nobody posts for a hidden company, or after a ban", async () => {
  const id = await submission(db, own, asha, "waiting");
  await setCompanyState(db, gita, { companyId: own.id, state: "hidden" });
  await expect(withdrawSubmission(db, asha, id)).rejects.toThrow("Listing not found");
  expect((await approve(id)).refusals).toEqual(["Its company is hidden."]);
  await setCompanyState(db, gita, { companyId: own.id, state: "approved" });
  await setBan(db, asha.id, new Date(now().getTime() + day));
  await expect(withdrawSubmission(db, asha, id)).rejects.toThrow("Listing not found");
});

test("an admin sees the open jobs with the same summary, and no others", async () => {
  const summary = "You draw 100% of the letters_for shop signs in Pune, by hand.";
  const same = await insertJob(db, { description: summary, title: "Copied" });
  await insertJob(db, { description: summary, isArchived: true });
  await insertJob(db, { description: summary.replace("100%", "100 %") });
  const listed = await listSameTexts(db, summary.toUpperCase());
  expect(listed.map(({ id }) => id)).toEqual([same.id]);
  expect(await listSameTexts(db, "Draws letters.")).toEqual([]);
});

test("the oldest listings come first, and each page continues the last", async () => {
  const start = now().getTime();
  const sent: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const sentAt = new Date(start - (30 - index) * 60_000);
    sent.push(await submission(db, await company(db), asha, "waiting", { sentAt }));
  }
  const first = await listWaiting(db, gita, { after: null });
  const second = await listWaiting(db, gita, { after: first.next });
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(sent);
});
