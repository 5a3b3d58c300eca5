import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { changeCharacter } from "../../../tests/support/requests/tampered.ts";
import { askedListing } from "../../../tests/support/rows/contact-questions.ts";
import { jobRow } from "../../../tests/support/rows/jobs.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { findOpenConsent, listConsentHistory } from "../../accounts/consents/consents.server.ts";
import { recordCheck } from "../../jobs/job-checks.server.ts";
import { archiveJob, unarchiveJob } from "../../jobs/manage/job-commands.server.ts";
import { jobChecks, jobs } from "../../jobs/tables.server.ts";
import { day, minute, now } from "../../platform/clock.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { hashToken } from "../../accounts/session.server.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { checkJobs } from "../queue/check-jobs.server.ts";
import { generateCheckToken } from "./ask-contacts.server.ts";
import { recordContactAnswer } from "./answer-question.server.ts";
import { findQuestion } from "./find-question.server.ts";
import { removeContact } from "./remove-contact.server.ts";
import type { JobAnswer } from "./rules.ts";
import { contactQuestions } from "./tables.server.ts";

const { db, gita } = await testPeople();
const config = testConfig();

const answer = (token: string, said: JobAnswer) =>
  recordContactAnswer(db, config, { token, answer: said });
const checksOf = (id: string) => db.select().from(jobChecks).where(eq(jobChecks.jobId, id));
const resultsOf = async (id: string) => (await checksOf(id)).map(({ result }) => result).toSorted();
const questionOf = async (id: string) =>
  (await db.select().from(contactQuestions).where(eq(contactQuestions.jobId, id)))[0]!;
const ago = (time: number) => new Date(now().getTime() - time);

test("“Still open” starts a new check period and records the consent", async () => {
  const { jobId, email, token } = await askedListing(db);
  await answer(token, "open");
  const job = await jobRow(db, jobId);
  expect(job.checkDueAt.getTime()).toBeGreaterThan(now().getTime() + 13 * day);
  expect(await checksOf(jobId)).toMatchObject([{ kind: "contact", result: "open", actorId: null }]);
  expect(await findOpenConsent(db, { email }, "contact")).toMatchObject({ how: "check" });
  const events = await db.select().from(auditEvents).where(eq(auditEvents.subjectId, jobId));
  expect(events).toMatchObject([{ actorId: null, event: "job.answer", after: { answer: "open" } }]);
  expect(await findQuestion(db, token)).toMatchObject({ state: "answered", answer: "open" });
});

test("on a listing that nobody has checked, “Still open” is the consent, but no check until one is due", async () => {
  const checkDueAt = new Date(now().getTime() + 7 * day);
  const unchecked = { checkedAt: null, lapses: true, checkDueAt };
  const { jobId, email, token } = await askedListing(db, unchecked);
  await answer(token, "open");
  expect(await findOpenConsent(db, { email }, "contact")).toMatchObject({ how: "check" });
  expect(await jobRow(db, jobId)).toMatchObject(unchecked);
  expect(await checksOf(jobId)).toEqual([]);
  await answer(token, "filled");
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true, archivedReason: "filled" });
});

test.each(["filled", "closed"] as const)(
  "“%s” archives the listing with that reason",
  async (said) => {
    const { jobId, email, token } = await askedListing(db);
    await answer(token, said);
    expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true, archivedReason: said });
    expect(await checksOf(jobId)).toMatchObject([{ kind: "contact", result: said }]);
    expect(await listConsentHistory(db, { email }, 5)).toEqual([]);
  },
);

test("the same answer again changes nothing", async () => {
  const { jobId, token } = await askedListing(db);
  await answer(token, "open");
  const before = await jobRow(db, jobId);
  await answer(token, "open");
  expect(await jobRow(db, jobId)).toEqual(before);
  expect(await checksOf(jobId)).toHaveLength(1);
});

test("the last answer counts, with the link of an earlier question too", async () => {
  const { jobId, email, token } = await askedListing(db);
  const other = generateCheckToken();
  const question = await questionOf(jobId);
  await db
    .insert(contactQuestions)
    .values({ ...question, id: undefined, dueAt: ago(day), tokenHash: hashToken(other) });
  await answer(token, "open");
  await answer(other, "filled");
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true, archivedReason: "filled" });
  expect(await findQuestion(db, token)).toMatchObject({ answer: "filled", canAnswer: true });
  await answer(token, "open");
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: false, archivedReason: null });
  expect(await findOpenConsent(db, { email }, "contact")).not.toBeNull();
  await answer(token, "closed");
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true, archivedReason: "closed" });
  expect(await resultsOf(jobId)).toEqual(["closed", "filled", "open", "open"]);
});

test.each([
  ["archived", (jobId: string) => archiveJob(db, gita, jobId)],
  [
    "closed with the same reason",
    (jobId: string) => checkJobs(db, gita, { jobIds: [jobId], result: "filled" }, config.checks),
  ],
])("an answer doesn't reopen a listing that an admin has %s since", async (_what, close) => {
  const { jobId, token } = await askedListing(db);
  await answer(token, "filled");
  await unarchiveJob(db, gita, jobId);
  await close(jobId);
  expect(await findQuestion(db, token)).toMatchObject({ answer: "filled", canAnswer: false });
  await expect(answer(token, "open")).rejects.toThrow("no longer on the board");
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true });
});

test("an answer doesn't reopen a listing whose closing date has passed", async () => {
  const { jobId, token } = await askedListing(db);
  await answer(token, "filled");
  await db
    .update(jobs)
    .set({ closesOn: "2026-01-01", liveUntil: ago(day) })
    .where(eq(jobs.id, jobId));
  await expect(answer(token, "open")).rejects.toThrow("no longer on the board");
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true, archivedReason: "filled" });
});

test.each([
  ["open", "filled"],
  ["filled", "open"],
] as const)("of two concurrent answers, “%s” and then “%s” count in order", async (first, then) => {
  const { jobId, token } = await askedListing(db);
  const done = await overlap(
    db,
    (tx) => recordContactAnswer(tx, config, { token, answer: first }),
    (other) => recordContactAnswer(other, config, { token, answer: then }),
  );
  expect(done.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await resultsOf(jobId)).toEqual([first, then].toSorted());
  expect(await findQuestion(db, token)).toMatchObject({ answer: then });
  expect((await jobRow(db, jobId)).isArchived).toBe(then === "filled");
});

test("of an answer and an archiving, the first one counts, and the listing ends archived", async () => {
  for (let turn = 0; turn < 5; turn++) {
    const { jobId, token } = await askedListing(db);
    const [answered] = await Promise.allSettled([
      answer(token, "open"),
      archiveJob(db, gita, jobId),
    ]);
    expect((await jobRow(db, jobId)).isArchived).toBe(true);
    const isFirst = answered.status === "fulfilled";
    expect(await checksOf(jobId)).toHaveLength(isFirst ? 1 : 0);
    const question = await questionOf(jobId);
    expect(question.answer).toBe(isFirst ? "open" : null);
  }
});

test("an answer waits for an archiving that has not committed", async () => {
  const { jobId, email, token } = await askedListing(db);
  const answered = await db.transaction(async (tx) => {
    await archiveJob(tx, gita, jobId);
    const waiting = answer(token, "open");
    waiting.catch(() => {});
    return { waiting };
  });
  await expect(answered.waiting).rejects.toThrow("no longer on the board");
  expect(await checksOf(jobId)).toEqual([]);
  expect(await findOpenConsent(db, { email }, "contact")).toBeNull();
});

test("a concurrent check of staff and an answer both count, unless the first closes the job", async () => {
  const check = (jobId: string, result: JobAnswer) =>
    db.transaction((tx) =>
      recordCheck(tx, jobId, { kind: "staff", result, actorId: gita.id }, config.checks),
    );
  for (let turn = 0; turn < 5; turn++) {
    const { jobId, token } = await askedListing(db);
    const [staff, contact] = await Promise.allSettled([
      check(jobId, "closed"),
      answer(token, "filled"),
    ]);
    const isStaffFirst = staff.status === "fulfilled" && staff.value;
    expect(contact.status).toBe(isStaffFirst ? "rejected" : "fulfilled");
    expect(await jobRow(db, jobId)).toMatchObject({
      archivedReason: isStaffFirst ? "closed" : "filled",
    });
    expect(await checksOf(jobId)).toHaveLength(1);
  }
});

test("a removal always counts: before an answer it refuses it, after one it withdraws the consent", async () => {
  for (let turn = 0; turn < 6; turn++) {
    const { jobId, email, token } = await askedListing(db);
    const [, removed] = await Promise.allSettled([
      answer(token, "open"),
      removeContact(db, config, token),
    ]);
    expect(removed.status).toBe("fulfilled");
    expect(await jobRow(db, jobId)).toMatchObject({ pocName: null, pocContact: null });
    expect(await listConsentHistory(db, { email }, 5)).toEqual([]);
    expect(await findQuestion(db, token)).toMatchObject({ answer: "withdrawn", listings: [] });
  }
});

test("after a removal an answer is refused, and changes nothing", async () => {
  const { jobId, token } = await askedListing(db);
  await removeContact(db, config, token);
  await expect(answer(token, "open")).rejects.toThrow("we removed your name and address");
  expect(await checksOf(jobId)).toEqual([]);
});

test.each([
  ["archived", { isArchived: true }, "closed"],
  ["lapsed", { liveUntil: ago(minute) }, "closed"],
  ["of another contact now", { pocContact: "ravi@acme.example" }, "replaced"],
] as const)("a listing that is %s needs no answer", async (_what, fields, state) => {
  const { jobId, token } = await askedListing(db);
  await db.update(jobs).set(fields).where(eq(jobs.id, jobId));
  expect(await findQuestion(db, token)).toMatchObject({ state });
  await expect(answer(token, "open")).rejects.toThrow("so we don't need your answer");
  expect(await checksOf(jobId)).toEqual([]);
});

test("a link ends after 21 days, and a reminder starts them again", async () => {
  const reminded = await askedListing(
    db,
    {},
    { askedAt: ago(22 * day), remindedAt: ago(19 * day) },
  );
  expect(await findQuestion(db, reminded.token)).toMatchObject({ state: "waiting" });
  const old = await askedListing(db, {}, { askedAt: ago(21 * day + minute) });
  expect(await findQuestion(db, old.token)).toMatchObject({ state: "expired", listings: [] });
  await expect(answer(old.token, "open")).rejects.toThrow("too old");
  await expect(removeContact(db, config, old.token)).rejects.toThrow("too old");
});

test("an unknown link finds nothing", async () => {
  const { token } = await askedListing(db);
  for (const other of ["none", "", `${token}A`, token.slice(0, -1), changeCharacter(token)]) {
    expect(await findQuestion(db, other), other).toBeNull();
    await expect(answer(other, "open"), other).rejects.toThrow("This link isn't complete");
  }
});

test("finding a question changes nothing", async () => {
  const { jobId, token } = await askedListing(db);
  const snapshot = async () =>
    JSON.stringify([await db.select().from(contactQuestions), await jobRow(db, jobId)]);
  const before = await snapshot();
  await findQuestion(db, token);
  expect(await snapshot()).toBe(before);
});
