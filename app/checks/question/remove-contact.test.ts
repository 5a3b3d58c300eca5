import { eq, type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { company } from "../../../tests/support/rows/companies.ts";
import { askedListing, dueListing } from "../../../tests/support/rows/contact-questions.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import {
  createJob,
  deleteJob,
  unarchiveJob,
  updateJob,
} from "../../jobs/manage/job-commands.server.ts";
import { updateSearchWords } from "../../jobs/search-words/update-search-words.server.ts";
import { jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { supportAnswers, supportMessages } from "../../support/tables.server.ts";
import { trackedJobs } from "../../seekers/tracker/tables.server.ts";
import { jobReport } from "../../../tests/support/rows/reports.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, minute, now } from "../../platform/clock.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { recordContactAnswer } from "./answer-question.server.ts";
import { sendDueQuestions } from "./ask-contacts.server.ts";
import { findQuestion } from "./find-question.server.ts";
import { hasAddress, isEventWithAddress } from "./listings-of-contact.server.ts";
import { removeFromText, acceptText, listMentions } from "./decide-mentions.server.ts";
import { buildSearch } from "./mention-texts.server.ts";
import { removeContact } from "./remove-contact.server.ts";
import { contactMentions, contactQuestions } from "./tables.server.ts";

const { db, devi, asha, gita } = await testPeople();
const config = testConfig();

const form = {
  ...jobFields,
  pocName: null,
  pocContact: null,
  portalApplicationLink: "https://acme.example/apply",
  directApplicationLink: null,
};
const eventsOf = (id: string) =>
  db.select().from(auditEvents).where(eq(auditEvents.subjectId, id)).orderBy(auditEvents.at);

/** Lists the columns of all tables in which a text appears, in any case. */
async function findEverywhere(text: string): Promise<string[]> {
  const { rows: columns } = await db.execute<{ schema: string; table: string; name: string }>(sql`
    select table_schema as schema, table_name as table, column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'USER-DEFINED', 'bytea')`);
  expect(columns.length).toBeGreaterThan(100);
  const found: string[] = [];
  for (const { schema, table, name } of columns) {
    const [from, column] = [sql.identifier(schema), sql.identifier(name)];
    const { rows } = await db.execute(sql`
      select from ${from}.${sql.identifier(table)}
      where strpos(lower(${column}::text), ${text.toLowerCase()}) > 0 limit 1`);
    if (rows.length > 0) found.push(`${schema}.${table}.${name}`);
  }
  return found.toSorted();
}

/** Writes a contact's name, address and number wherever they can be, then has them removed. */
async function removeFromEverywhere() {
  await db.execute(sql`delete from jobs; delete from contact_questions; delete from mails;
    delete from audit_events; delete from consents where email is not null;
    delete from stopped_contacts; delete from contact_messages; delete from contact_mentions;
    delete from tracked_jobs; delete from job_reports; delete from companies`);
  const email = "leela.menon@acme.example";
  const contact = { pocName: "Leela Menon", pocContact: `<${email}> / +91 98765 43210` };
  const listing = {
    ...form,
    ...contact,
    title: "Designer (ask Leela Menon)",
    company: "Leela Menon Studio",
    location: "Pune, at Leela Menon's",
    compensation: "Ask Leela Menon",
    description: "Questions? Leela Menon answers them.",
    largeDescription: `Write to\n${email} or call 9876543210.`,
    directApplicationLink: `mailto:${email}`,
  };
  const id = await createJob(db, devi, listing);
  await updateJob(db, devi, id, { ...listing, pocName: "Leela Menon-Rao" });
  const other = await createJob(db, devi, { ...form, pocContact: email.toUpperCase() });
  const phoneOnly = await createJob(db, devi, {
    ...form,
    pocName: "Leela Menon",
    pocContact: "098765-43210",
  });
  const sharedPhone = await createJob(db, devi, {
    ...form,
    pocName: "Ravi Nair",
    pocContact: "Office: 98765 43210",
  });
  const encoded = await createJob(db, devi, {
    ...form,
    directApplicationLink: "https://acme.example/?to=leela.menon%40acme.example&name=Leela+Menon",
    description: "Write to leela.menon&#64;acme.example.",
  });
  const deleted = await createJob(db, devi, { ...form, ...contact, title: "For Leela Menon" });
  const followed = { company: "Acme", createdAt: now(), updatedAt: now() };
  await db.insert(trackedJobs).values([
    { ...followed, userId: asha.id, jobId: id, title: listing.title, url: `/jobs/${id}` },
    { ...followed, userId: asha.id, title: "For Leela Menon", url: `/jobs/${deleted}` },
  ]);
  await deleteJob(db, devi, deleted);
  const former = await createJob(db, devi, { ...form, ...contact });
  await updateJob(db, devi, former, { ...form, pocName: "Ravi", pocContact: "ravi@acme.example" });
  const mentioning = await createJob(db, devi, {
    ...form,
    pocName: "Ravi Nair",
    pocContact: "ravi@acme.example",
    description: `Ask Ravi, not ${email}.`,
  });
  await company(db, { name: "Acme", about: `Our design lead answers at ${email}.` });
  const linked = await company(db, {
    name: "Leela Menon Studio",
    about: "Leela Menon founded it.",
  });
  await db.update(jobs).set({ companyId: linked.id }).where(eq(jobs.id, id));
  await jobReport(db, id, { text: "Leela Menon asked me for money.", decidedAt: null });
  const [message] = await db
    .insert(supportMessages)
    .values({
      ticket: "LEELA-1",
      name: "Ravi",
      email: "ravi@acme.example",
      subject: "About Leela",
      message: `Who is ${email}?`,
      note: "Called 98765 43210.",
      createdAt: now(),
    })
    .returning({ id: supportMessages.id });
  const answer = { messageId: message!.id, at: now(), authorName: "Gita" };
  const [reply] = await db
    .insert(supportAnswers)
    .values({ ...answer, answer: "It is leela.menon%40acme.example." })
    .returning({ id: supportAnswers.id });
  const checkDueAt = new Date(now().getTime() - minute);
  await db.update(jobs).set({ checkDueAt }).where(eq(jobs.id, id));
  await sendDueQuestions(db, config);
  const token = await tokenMailedTo(db, email, "/check/");
  await recordContactAnswer(db, config, { token, answer: "open" });
  await db.update(mails).set({ sentAt: now() });
  const toRavi = { recipient: "ravi@acme.example", createdAt: now() };
  await db.insert(mails).values([
    { ...toRavi, cause: "unsent", subject: email, html: `<b>${email}</b>`, text: email },
    {
      ...toRavi,
      cause: `contact-answer:${reply!.id}`,
      sentAt: now(),
      subject: "Your message",
      html: `<p>${email}</p>`,
      text: email,
    },
  ]);
  await updateSearchWords(db);

  await removeContact(db, config, token);
  return { id, other, phoneOnly, sharedPhone, encoded, deleted, former, mentioning };
}

/** Lists the columns that still have a part of them. */
async function findTraces(): Promise<string[]> {
  const texts = ["leela.menon@acme.example", "leela.menon%40acme", "leela.menon&#64;", "Leela"];
  const numbers = ["98765 43210", "9876543210", "98765-43210"];
  const found = await Promise.all([...texts, ...numbers].map(findEverywhere));
  return [...new Set(found.flat())].toSorted();
}

/** Accepts the number of the office, and removes all other texts. */
async function decide(sharedPhone: string): Promise<void> {
  const { rows } = await listMentions(db, gita, { after: null });
  const kept = rows.find(({ subjectId }) => subjectId === sharedPhone)!;
  expect(kept).toMatchObject({ field: "poc_contact", quote: "Office: 98765 43210" });
  await acceptText(db, gita, {
    id: kept.id,
    reason: "The office's 98765 43210, not Leela Menon's.",
  });
  for (const mention of rows.filter((row) => row !== kept)) await removeFromText(db, gita, mention);
}

test("after a removal, only texts that wait for an admin have the name, the address or the number", async () => {
  await removeFromEverywhere();
  expect(await findTraces()).toEqual([
    // The texts of others wait for an admin, and these rows until then.
    "public.companies.about",
    "public.companies.name",
    "public.contact_answers.answer",
    "public.contact_mentions.person",
    "public.contact_messages.message",
    "public.contact_messages.note",
    "public.contact_messages.search_text",
    "public.contact_messages.subject",
    "public.contact_messages.ticket",
    "public.job_reports.text",
    "public.jobs.company",
    "public.jobs.compensation",
    "public.jobs.description",
    "public.jobs.large_description",
    "public.jobs.location",
    "public.jobs.poc_contact",
    "public.jobs.search_text",
    "public.jobs.title",
    // A sent email carries the reply that waits.
    "public.mails.html",
    "public.mails.text",
  ]);
});

test("a removal hides the listings whose texts name the contact, and empties their contacts", async () => {
  const listings = await removeFromEverywhere();
  const { id, other, phoneOnly, sharedPhone, encoded, deleted, former, mentioning } = listings;
  const hidden = { isArchived: true, archivedReason: "named" };
  for (const one of [id, sharedPhone, encoded, mentioning])
    expect(await jobRow(db, one), one).toMatchObject(hidden);
  for (const one of [id, other, phoneOnly])
    expect(await jobRow(db, one)).toMatchObject({ pocName: null, pocContact: null });
  expect(await jobRow(db, encoded)).toMatchObject({ directApplicationLink: null });
  expect(await jobRow(db, sharedPhone)).toMatchObject({ pocContact: "Office: 98765 43210" });
  expect(await jobRow(db, former)).toMatchObject({
    isArchived: false,
    pocName: "Ravi",
    pocContact: "ravi@acme.example",
  });
  const [created, , removal] = await eventsOf(id).then((events) =>
    events.filter(({ event }) => event !== "job.answer"),
  );
  expect(created).toMatchObject({
    actorId: devi.id,
    event: "job.create",
    after: { title: "Designer (ask (removed))", pocName: "(removed)", pocContact: "(removed)" },
  });
  expect(removal).toMatchObject({ actorName: "The contact", event: "job.remove-contact" });
  expect(await eventsOf(deleted)).toMatchObject([{ event: "job.create" }, { event: "job.delete" }]);
});

test("after an admin's decisions, the listings return without the texts that name the contact", async () => {
  const { id, sharedPhone, mentioning } = await removeFromEverywhere();
  await expect(unarchiveJob(db, gita, id)).rejects.toThrow("An admin has to check the text");
  await decide(sharedPhone);
  expect(await jobRow(db, sharedPhone)).toMatchObject({ isArchived: false, archivedReason: null });
  expect(await jobRow(db, id)).toMatchObject({
    isArchived: false,
    archivedReason: null,
    title: "Designer (ask (removed))",
    company: "(removed) Studio",
    portalApplicationLink: form.portalApplicationLink,
  });
  expect(await jobRow(db, mentioning)).toMatchObject({
    isArchived: false,
    pocName: "Ravi Nair",
    pocContact: "ravi@acme.example",
    description: "Ask Ravi, not (removed).",
  });
});

test("after an admin's decisions, no table has the name, the address or the number", async () => {
  const { sharedPhone } = await removeFromEverywhere();
  await decide(sharedPhone);
  expect(await db.$count(contactMentions)).toBe(0);
  const events = await eventsOf(sharedPhone);
  expect(events.at(-1)).toMatchObject({
    actorId: gita.id,
    event: "contact.keep-text",
    after: { field: "Listing: Contact", reason: "The office's (removed), not (removed)'s." },
  });
  expect(await findTraces()).toEqual([
    // A single word of the name is no proof, so a subject and a ticket with it are not in the list.
    "public.contact_messages.search_text",
    "public.contact_messages.subject",
    "public.contact_messages.ticket",
    // An admin decided that the number of this listing isn't theirs.
    "public.jobs.poc_contact",
  ]);
});

test("a second removal waits with the first, and the listing returns to its own state", async () => {
  const first = await askedListing(db, { portalApplicationLink: null });
  const second = await askedListing(db, {
    pocName: "Ravi Nair",
    description: `Or write to ${first.email}.`,
  });
  await removeContact(db, config, first.token);
  expect(await jobRow(db, first.jobId)).toMatchObject({ archivedReason: "withdrawn" });
  expect(await jobRow(db, second.jobId)).toMatchObject({
    isArchived: true,
    archivedReason: "named",
  });
  await db
    .update(jobs)
    .set({ portalApplicationLink: null, title: `Designer for ${second.email}` })
    .where(eq(jobs.id, second.jobId));
  await removeContact(db, config, second.token);
  const { rows } = await listMentions(db, gita, { after: null });
  const own = rows.filter(({ jobId }) => jobId === second.jobId);
  expect(own.map(({ field }) => field).toSorted()).toEqual(["description", "title"]);
  await removeFromText(db, gita, own[0]!);
  await expect(acceptText(db, gita, { id: own[0]!.id, reason: "Late" })).rejects.toThrow(
    "Another admin has already decided",
  );
  expect(await jobRow(db, second.jobId)).toMatchObject({ archivedReason: "named" });
  await removeFromText(db, gita, own[1]!);
  expect(await jobRow(db, second.jobId)).toMatchObject({
    isArchived: true,
    archivedReason: "withdrawn",
    pocContact: null,
  });
});

test("the history of a listing that was edited or deleted while it waited is erased by the decision", async () => {
  const { email, token } = await askedListing(db);
  const fields = { ...form, description: `Ask ${email}.` };
  const [edited, deleted] = [await createJob(db, devi, fields), await createJob(db, devi, fields)];
  await removeContact(db, config, token);
  await updateJob(db, devi, edited, form);
  await deleteJob(db, devi, deleted);
  expect(await findEverywhere(email)).toEqual([
    "public.audit_events.before",
    "public.contact_mentions.person",
  ]);
  const { rows } = await listMentions(db, gita, { after: null });
  const own = rows.filter(({ subjectId }) => subjectId === edited || subjectId === deleted);
  expect(own.map(({ quote }) => quote)).toEqual([null, null]);
  for (const mention of own) await removeFromText(db, gita, mention);
  expect(await findEverywhere(email)).toEqual([]);
  expect(await jobRow(db, edited)).toMatchObject({ isArchived: false });
});

test("the proof of the consent stays, without the address", async () => {
  const { token } = await askedListing(db);
  await recordContactAnswer(db, config, { token, answer: "open" });
  await removeContact(db, config, token);
  const { rows } = await db.execute(sql`
    select how, given_at is not null as given, withdrawn_at is not null as withdrawn, email
    from consents where email_hash = (select email_hash from contact_questions where answer = 'withdrawn'
      order by answered_at desc limit 1)`);
  expect(rows).toEqual([{ how: "check", given: true, withdrawn: true, email: null }]);
});

test("a listing without an application page is archived, and the history says why", async () => {
  const { jobId, token } = await askedListing(db, { portalApplicationLink: null });
  await removeContact(db, config, token);
  expect(await jobRow(db, jobId)).toMatchObject({ isArchived: true, archivedReason: "withdrawn" });
  expect(await eventsOf(jobId)).toMatchObject([
    {
      event: "job.remove-contact",
      actorId: null,
      before: { isArchived: false },
      after: { isArchived: true },
    },
  ]);
});

test.each([
  ["a page", "https://acme.example/apply", "https://acme.example/apply"],
  ["an email", "mailto:someone@acme.example", null],
  ["a phone number", "Call 98765 00000", null],
])("a direct link to %s leaves %s as %s", async (_what, directApplicationLink, left) => {
  const { jobId, token } = await askedListing(db, { directApplicationLink });
  await removeContact(db, config, token);
  expect(await jobRow(db, jobId)).toMatchObject({ directApplicationLink: left, pocContact: null });
});

test("an application link with the address is removed, which archives the listing", async () => {
  const email = "mona@acme.example";
  const { jobId, token } = await askedListing(db, {
    pocContact: email,
    portalApplicationLink: `https://acme.example/apply?to=${email}`,
  });
  await removeContact(db, config, token);
  expect(await jobRow(db, jobId)).toMatchObject({ portalApplicationLink: null, isArchived: true });
});

test("an archived listing keeps its reason", async () => {
  const { jobId, token } = await askedListing(db);
  await recordContactAnswer(db, config, { token, answer: "filled" });
  await removeContact(db, config, token);
  expect(await jobRow(db, jobId)).toMatchObject({ archivedReason: "filled", pocContact: null });
});

test("removing twice, in turn and concurrently, changes nothing more", async () => {
  const { jobId, token } = await askedListing(db);
  await Promise.all([removeContact(db, config, token), removeContact(db, config, token)]);
  const before = await jobRow(db, jobId);
  await removeContact(db, config, token);
  expect(await jobRow(db, jobId)).toEqual(before);
  expect(await eventsOf(jobId)).toHaveLength(1);
});

test("the contact is not asked again, on any listing", async () => {
  const email = "tara@acme.example";
  const { token } = await askedListing(db, { pocContact: email });
  const second = await askedListing(db, { pocContact: email });
  await removeContact(db, config, token);
  expect(await findQuestion(db, second.token)).toMatchObject({ answer: "withdrawn" });
  await db.delete(jobs);
  expect(await db.$count(contactQuestions)).toBe(0);
  await dueListing(db, { pocContact: email });
  expect(await sendDueQuestions(db, config)).toBe(0);
  expect(await mailsTo(db, email)).toEqual([]);
});

test("after a change of the secret, a removed address gets no questions, and a removal covers old ones", async () => {
  const changed = {
    ...config,
    secrets: ["a newer secret of this installation", ...config.secrets],
  };
  const removed = "leaves.early@acme.example";
  const { token: early } = await askedListing(db, { pocContact: removed });
  await removeContact(db, config, early);
  await dueListing(db, { pocContact: removed });
  const later = "leaves.later@acme.example";
  const askedAt = new Date(now().getTime() - 2 * day);
  const { token: late } = await askedListing(db, { pocContact: later }, { askedAt });
  await dueListing(db, { pocContact: later });
  await sendDueQuestions(db, changed);
  expect(await mailsTo(db, removed)).toEqual([]);
  expect(await mailsTo(db, later)).toHaveLength(1);
  await removeContact(db, changed, late);
  expect(await findEverywhere(later)).toEqual([]);
});

test("a removal during a run of questions leaves no email to the address", async () => {
  for (let turn = 0; turn < 5; turn++) {
    const email = `race${turn}@acme.example`;
    const { token } = await askedListing(
      db,
      { pocContact: email },
      { askedAt: new Date(now().getTime() - day) },
    );
    await dueListing(db, { pocContact: email });
    await Promise.all([removeContact(db, config, token), sendDueQuestions(db, config)]);
    expect(await mailsTo(db, email)).toEqual([]);
    expect(await findEverywhere(email)).toEqual([]);
  }
});

test("a bounced address that is removed counts as removed", async () => {
  const { token } = await askedListing(db);
  const [question] = await db
    .select()
    .from(contactQuestions)
    .where(sql`email is not null`)
    .limit(1);
  const { emailHash } = question!;
  await db.insert(stoppedContacts).values({ contactHash: emailHash, reason: "bounced", at: now() });
  await removeContact(db, config, token);
  const stops = await db
    .select()
    .from(stoppedContacts)
    .where(eq(stoppedContacts.contactHash, emailHash));
  expect(stops).toMatchObject([{ reason: "withdrawn" }]);
});

test("a person with an account keeps their other emails", async () => {
  const { token } = await askedListing(db, { pocContact: asha.email });
  const mail = { recipient: asha.email, subject: "", html: "", text: "", createdAt: now() };
  await db.insert(mails).values([
    { ...mail, cause: "receipt:1", sentAt: now() },
    { ...mail, cause: "check:1", sentAt: now() },
  ]);
  await removeContact(db, config, token);
  expect(await mailsTo(db, asha.email)).toMatchObject([{ cause: "receipt:1" }]);
});

test("an email that waits to be sent stays, unless it is a question of ours", async () => {
  const { email, token } = await askedListing(db);
  const mail = { recipient: email, subject: "", html: "", text: "", createdAt: now() };
  await db.insert(mails).values([
    { ...mail, cause: "contact-answer:1" },
    { ...mail, cause: "contact-answer:2", sentAt: now() },
    { ...mail, cause: "check:2" },
  ]);
  await removeContact(db, config, token);
  expect(await mailsTo(db, email)).toMatchObject([{ cause: "contact-answer:1" }]);
});

const sought = { email: "a@b.example", contacts: ["a@b.example"], jobIds: [] };

test.each<[string, SQL, string]>([
  ["listings", sql`select from jobs where ${hasAddress(sought.email)}`, "jobs_contacts"],
  [
    "events",
    sql`select from audit_events where ${isEventWithAddress(sought.email)}`,
    "audit_events_job_contacts",
  ],
  ["reports", buildSearch("report", sought), "job_reports_contacts"],
  ["messages", buildSearch("message", sought), "contact_messages_contacts"],
  ["replies", buildSearch("answer", sought), "contact_answers_contacts"],
  ["pages of companies", buildSearch("company", sought), "companies_contacts"],
])("the %s of an address are found with an index", async (_what, query, index) => {
  const { rows } = await db.transaction(async (tx) => {
    // With few rows, PostgreSQL prefers a scan or the index by type.
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`drop index if exists audit_events_type`);
    return tx.execute(sql`explain ${query}`);
  });
  expect(JSON.stringify(rows)).toContain(index);
});

test.each([
  ["Call 098765-43210 or +91 (98765) 43210.", ["9876543210"]],
  ["On 2024 98765 43210", ["2024987654", "0249876543", "2498765432", "4987654321", "9876543210"]],
  ["leela%40acme.example, anu&#64;acme&#x2E;example", ["leela@acme.example", "anu@acme.example"]],
  ["leela%2540acme.example", ["leela@acme.example"]],
  ["＋91 22 2345 6789, ravi＠acme.example", ["ravi@acme.example", "2223456789"]],
  ["९८७६५४३२१०, ௯௮௭௬௫௪௩௨௧௧", ["9876543210", "9876543211"]],
  ["100% of 50% & #64", []],
])("PostgreSQL finds the contacts in %j", async (text, contacts) => {
  const { rows } = await db.execute<{ found: string[] }>(sql`select contacts_in(${text}) as found`);
  expect(rows[0]!.found).toEqual(expect.arrayContaining(contacts));
  const isAddress = (one: string) => one.includes("@");
  expect(rows[0]!.found.filter(isAddress).toSorted()).toEqual(
    contacts.filter(isAddress).toSorted(),
  );
});

test.each([
  [
    "Anu <Anu.R+jobs@Acme.example>, ravi@acme.co.in.",
    ["anu.r+jobs@acme.example", "ravi@acme.co.in"],
  ],
  ["mailto:anu@acme.example?cc=ravi@acme.example", ["anu@acme.example", "ravi@acme.example"]],
  ["https://acme.example/apply?to=anu@acme.example&x=1", ["anu@acme.example"]],
  ["@acme on Instagram, 5 @ 9", []],
  ["", []],
])("PostgreSQL finds the addresses in %j", async (text, addresses) => {
  const { rows } = await db.execute<{ found: string[] }>(sql`select emails_in(${text}) as found`);
  expect(rows[0]!.found.toSorted()).toEqual(addresses);
});
