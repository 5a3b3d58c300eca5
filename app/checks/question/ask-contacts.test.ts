import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { dueListing } from "../../../tests/support/rows/contact-questions.ts";
import { linksMailedTo, mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { insertJobs, jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { getNextCheck } from "../../jobs/job-checks.server.ts";
import { createJob, unarchiveJob, updateJob } from "../../jobs/manage/job-commands.server.ts";
import { jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import { deleteExpiredQuestions, sendDueQuestions } from "./ask-contacts.server.ts";
import { findContactAddress } from "../../jobs/contact/contact-address.server.ts";
import { findQuestion } from "./find-question.server.ts";
import { maxListingsPerMail, maxMailsPerDay } from "./rules.ts";
import { contactQuestions } from "./tables.server.ts";

const { db, devi, sonia } = await testPeople();
const config = testConfig();

beforeEach(async () => {
  await db.execute(sql`delete from jobs; delete from mails; delete from stopped_contacts`);
});

const send = () => sendDueQuestions(db, config);
const address = () => `leela.${randomUUID()}@acme.example`;
const ago = (time: number) => new Date(now().getTime() - time);

/** Moves what was asked and sent back, as if this time had passed. */
async function pass(time: number): Promise<void> {
  const by = sql`${`${time} ms`}::interval`;
  await db.execute(sql`update contact_questions set asked_at = asked_at - ${by},
    reminded_at = reminded_at - ${by}, due_at = due_at - ${by}`);
  await db.execute(sql`update jobs set check_due_at = check_due_at - ${by},
    contact_named_at = contact_named_at - ${by}`);
  await db.execute(sql`update mails set created_at = created_at - ${by}`);
}

/** Returns the tokens of the links in the newest email to an address. */
const tokensMailedTo = async (email: string) =>
  (await linksMailedTo(db, email, "/check/")).map(({ pathname }) =>
    pathname.slice("/check/".length),
  );

test("after a removal, the contact of a new listing is asked only once staff have checked it", async () => {
  const id = await dueListing(db, { followsRemoval: true, lapses: true, checkedAt: null });
  expect(await send()).toBe(0);
  await db
    .update(jobs)
    .set({ checkedAt: ago(14 * day) })
    .where(eq(jobs.id, id));
  expect(await send()).toBe(1);
});

test("a due listing's contact gets one email with a link, and only its hash is stored", async () => {
  const email = address();
  await dueListing(db, { pocContact: `Leela Menon <${email}>` });
  expect(await send()).toBe(1);
  const [mail, ...others] = await mailsTo(db, email);
  expect(others).toEqual([]);
  expect(mail!.subject).toBe("Is “Brand Designer” at Acme still open?");
  for (const form of [mail!.html, mail!.text]) {
    expect(form).toContain("“Brand Designer” at Acme");
    expect(form).toContain("Remove my name");
    expect(form).toMatch(/\/check\/[\w-]{22}/);
  }
  const [token] = await tokensMailedTo(email);
  const [stored] = await db.select().from(contactQuestions);
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(await findQuestion(db, token!)).toMatchObject({ state: "waiting" });
});

test.each([
  ["an adder", devi, true],
  ["a subscriber", sonia, false],
])(
  "the contact of a listing of %s is asked on the day of publishing, once",
  async (_who, actor, isChecked) => {
    const email = address();
    const id = await createJob(db, actor, { ...jobFields, pocContact: email });
    expect(await Promise.all([send(), send(), send()])).toContain(1);
    const [mail, ...others] = await mailsTo(db, email);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe("Are you the contact for “Product Designer” at Sample Studio?");
    expect(mail!.text).toContain("Please tell us if you agree to be named.");
    expect(mail!.text).toContain("“Still open”");
    expect(mail!.text).toContain("“Remove my name”");
    const [token] = await tokensMailedTo(email);
    expect(await findQuestion(db, token!)).toMatchObject({ state: "waiting" });
    // A listing that staff publish still counts as checked.
    expect((await jobRow(db, id)).checkedAt !== null).toBe(isChecked);
    await pass(4 * day);
    expect(await send()).toBe(0);
  },
);

test("an edit that names another contact asks them, and other edits ask nobody", async () => {
  const [former, email] = [address(), address()];
  const id = await createJob(db, devi, { ...jobFields, pocContact: former });
  await send();
  await pass(day);
  await updateJob(db, devi, id, { ...jobFields, title: "Type Designer", pocContact: former });
  expect(await send()).toBe(0);
  await updateJob(db, devi, id, { ...jobFields, pocContact: `Leela <${email}>` });
  expect(await send()).toBe(1);
  expect(await mailsTo(db, email)).toHaveLength(1);
  expect(await mailsTo(db, former)).toHaveLength(1);
});

test("an imported listing that is put on the board asks its contact, but archiving doesn't ask again", async () => {
  const [job] = await insertJobs(db, [
    { ...jobFields, pocContact: address(), createdBy: devi.id, isArchived: true },
  ]);
  await unarchiveJob(db, devi, job!.id);
  expect(await send()).toBe(1);
  await pass(day);
  await db.update(jobs).set({ isArchived: true });
  await unarchiveJob(db, devi, job!.id);
  expect(await send()).toBe(0);
});

test("a contact who is named on the day of a check gets one question", async () => {
  const email = address();
  await dueListing(db, { pocContact: email, contactNamedAt: ago(hour) });
  await dueListing(db, {
    pocContact: email,
    contactNamedAt: ago(hour),
    checkDueAt: new Date(now().getTime() + 10 * day),
  });
  await send();
  const [mail] = await mailsTo(db, email);
  expect(mail!.subject).toBe("Are your 2 jobs still open?");
  await pass(day);
  expect(await send()).toBe(0);
  expect(await db.$count(contactQuestions)).toBe(2);
});

test("an address gets one email about all its due listings", async () => {
  const email = address();
  await dueListing(db, { title: "Type Designer", pocContact: email.toUpperCase() });
  await dueListing(db, { title: "Icon Designer", pocContact: "Ravi", checkEmail: email });
  await dueListing(db);
  expect(await send()).toBe(2);
  const [mail, ...others] = await mailsTo(db, email);
  expect(others).toEqual([]);
  expect(mail!.subject).toBe("Are your 2 jobs still open?");
  const tokens = await tokensMailedTo(email);
  const titles = await Promise.all(
    tokens.map(async (token) => (await findQuestion(db, token))!.job.title),
  );
  expect(titles.toSorted()).toEqual(["Icon Designer", "Type Designer"]);
  for (const token of tokens) expect(mail!.html).toContain(token);
});

test("odd titles of imported listings are shown as text", async () => {
  const email = address();
  const odd = { title: '<img src="x">\nDesigner', company: "A & B" };
  await dueListing(db, { ...odd, pocContact: email });
  await dueListing(db, { title: "", company: "", pocContact: email });
  await send();
  const [mail] = await mailsTo(db, email);
  expect(mail!.html).not.toContain("<img");
  expect(mail!.html).toContain("&lt;img src=&quot;x&quot;&gt;");
  expect(mail!.text).toContain('“<img src="x"> Designer” at A & B');
  expect(await tokensMailedTo(email)).toHaveLength(2);
});

test("an email asks about 20 listings at most, and the next about the others a day later", async () => {
  const email = address();
  for (let turn = 0; turn <= maxListingsPerMail; turn++)
    await dueListing(db, { pocContact: email });
  await send();
  expect(await tokensMailedTo(email)).toHaveLength(maxListingsPerMail);
  expect(await send()).toBe(0);
  await pass(day);
  await send();
  expect(await tokensMailedTo(email)).toHaveLength(1);
});

test("contacts get 200 emails a day in all, and the next day continues", async () => {
  await insertJobs(
    db,
    Array.from({ length: maxMailsPerDay + 2 }, (_, turn) => ({
      pocContact: `contact${turn}@acme.example`,
      checkDueAt: ago(minute),
    })),
  );
  expect(await send()).toBe(maxMailsPerDay);
  expect(await send()).toBe(0);
  await pass(day);
  expect(await send()).toBe(2);
  await pass(day);
  expect(await send()).toBe(0);
});

test("three processes ask each contact once", async () => {
  const email = address();
  for (let turn = 0; turn < 4; turn++) await dueListing(db);
  for (let turn = 0; turn < 4; turn++) await dueListing(db, { pocContact: email });
  const queued = await Promise.all([send(), send(), send()]);
  expect(queued.reduce((sum, count) => sum + count)).toBe(5);
  expect(await db.$count(mails)).toBe(5);
  expect(await db.$count(contactQuestions)).toBe(8);
});

test("one reminder follows after three days, and both links work", async () => {
  const email = address();
  await dueListing(db, { pocContact: email });
  await send();
  const [first] = await tokensMailedTo(email);
  await pass(3 * day - minute);
  expect(await send()).toBe(0);
  await pass(minute);
  expect(await Promise.all([send(), send(), send()])).toContain(1);
  expect(await mailsTo(db, email)).toHaveLength(2);
  const [mail] = await mailsTo(db, email);
  expect(mail!.text).toContain("We asked you a few days ago");
  const [second] = await tokensMailedTo(email);
  expect(second).not.toBe(first);
  for (const token of [first, second])
    expect(await findQuestion(db, token!)).toMatchObject({ state: "waiting" });
  await pass(3 * day);
  expect(await send()).toBe(0);
});

test("no reminder follows once staff checked the listing", async () => {
  const id = await dueListing(db);
  await send();
  await pass(3 * day);
  const next = getNextCheck({ closesOn: null, lapses: false }, now(), config.checks);
  await db.update(jobs).set(next).where(eq(jobs.id, id));
  expect(await send()).toBe(0);
});

test("a listing is asked about again when its next check is due", async () => {
  const id = await dueListing(db);
  await send();
  await pass(15 * day);
  await db
    .update(jobs)
    .set({ checkDueAt: ago(minute) })
    .where(eq(jobs.id, id));
  expect(await send()).toBe(1);
});

test.each([
  ["is not due", { checkDueAt: new Date(now().getTime() + hour) }],
  [
    "named its contact over a week ago",
    { checkDueAt: new Date(now().getTime() + hour), contactNamedAt: ago(8 * day) },
  ],
  [
    "follows a removal, on the day of publishing",
    { followsRemoval: true, checkedAt: null, contactNamedAt: ago(minute) },
  ],
  ["is due for more than a week", { checkDueAt: ago(8 * day) }],
  ["is archived", { isArchived: true }],
  ["has lapsed", { liveUntil: ago(minute) }],
  ["has no contact", { pocContact: null }],
  ["has a phone number only", { pocContact: "+91 98765 43210" }],
  ["has two addresses", { pocContact: "leela@acme.example, ravi@acme.example" }],
  ["has a handle", { pocContact: "@acme.design" }],
  ["has an address in Hindi", { pocContact: "लीला@उदाहरण.भारत" }],
])("nobody is asked about a listing that %s", async (_why, fields) => {
  await dueListing(db, fields);
  expect(await send()).toBe(0);
});

test("the address for questions goes before the public contact", () => {
  const pocContact = "leela@acme.example";
  expect(findContactAddress({ checkEmail: "HR@Acme.example ", pocContact })).toBe(
    "hr@acme.example",
  );
  expect(findContactAddress({ checkEmail: null, pocContact })).toBe(pocContact);
});

test("an address that rejected a question gets no other, even after that email is deleted", async () => {
  const email = address();
  await dueListing(db, { pocContact: email });
  await send();
  await db.update(mails).set({ givenUpAt: now(), attempts: 1 });
  await send();
  await db.delete(mails);
  await pass(day);
  await dueListing(db, { pocContact: email });
  expect(await send()).toBe(0);
  expect(await db.select().from(stoppedContacts)).toMatchObject([{ reason: "bounced" }]);
});

test("an email that failed because our mail server was down stops nothing", async () => {
  const email = address();
  await dueListing(db, { pocContact: email });
  await send();
  await db.update(mails).set({ createdAt: ago(2 * day), givenUpAt: now(), attempts: 20 });
  await pass(day);
  await dueListing(db, { pocContact: email });
  expect(await send()).toBe(1);
});

test("questions are deleted after 30 days", async () => {
  await dueListing(db);
  await send();
  await pass(30 * day - minute);
  expect(await deleteExpiredQuestions(db)).toBe(0);
  await pass(minute);
  expect(await deleteExpiredQuestions(db)).toBe(1);
});
