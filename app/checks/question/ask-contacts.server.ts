import { randomBytes } from "node:crypto";
import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  not,
  or,
  sql,
} from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { hashToken } from "../../accounts/session.server.ts";
import { remindAfter } from "../../jobs/check-rules.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { isRejected, queueMail } from "../../mail/deliver-mail.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, deleteRowsInSteps } from "../../platform/database.server.ts";
import {
  type ContactColumns,
  findContactAddress,
  hashContactAddress,
  listContactHashes,
  lockContact,
} from "../../jobs/contact/contact-address.server.ts";
import { buildQuestionMail, type QuestionAbout, questionCause } from "./emails.tsx";
import {
  askWithin,
  mailInterval,
  maxListingsPerMail,
  maxMailsPerDay,
  questionRetention,
} from "./rules.ts";
import { contactQuestions } from "./tables.server.ts";

/** The settings for questions to contacts. */
type AskSettings = Pick<Config, "origin" | "product" | "secrets">;

/**
 * Asks the contacts of all listings that began to name them or whose check is due, and reminds those who didn't answer
 * for three days that a check is due. An address gets one email, about all of its listings. Several processes may run
 * this at the same time.
 *
 * @returns the number of queued emails. After `maxMailsPerDay` in a day, the next day continues.
 */
export async function sendDueQuestions(db: Database, config: AskSettings): Promise<number> {
  await stopBouncedAddresses(db, config);
  const max = maxMailsPerDay - (await countMailsOfDay(db));
  let queued = 0;
  const ask = async (email: string, jobIds: string[]) => {
    const isQueued = await db.transaction((tx) => queueQuestions(tx, config, { email, jobIds }));
    if (isQueued) queued += 1;
  };
  for await (const listings of listDueListings(db))
    for (const [email, jobIds] of groupByAddress(listings)) {
      if (queued >= max) return queued;
      await ask(email, jobIds);
    }
  for (const email of await listAddressesToRemind(db)) {
    if (queued >= max) return queued;
    await ask(email, []);
  }
  return queued;
}

/**
 * Asks a contact about listings of theirs that are due, and reminds them of earlier questions, in one email. A question
 * is stored once for each due date, so a concurrent run asks nothing again.
 *
 * @param asked the address, and the listings that may be due
 * @returns false if there is nothing to ask, or if the address gets no email now
 */
async function queueQuestions(
  tx: Database,
  config: AskSettings,
  { email, jobIds }: { email: string; jobIds: string[] },
): Promise<boolean> {
  const emailHashes = listContactHashes(config, email);
  await lockContact(tx, emailHashes);
  if (await isStopped(tx, emailHashes)) return false;
  if (await isMailedLately(tx, emailHashes)) return false;
  const questions = await createQuestions(tx, config, { email, emailHash: emailHashes[0], jobIds });
  const reminded = await addReminders(tx, config, { email, emailHashes }, questions.length);
  const [first, ...others] = [...questions, ...reminded];
  if (!first) return false;
  await queueMail(tx, buildQuestionMail(config, email, [first, ...others], now()));
  return true;
}

function countMailsOfDay(db: Database): Promise<number> {
  const since = new Date(now().getTime() - day);
  const isQuestion = like(mails.cause, `${questionCause}:%`);
  return db.$count(mails, and(gt(mails.createdAt, since), isQuestion));
}

/** Stops questions to the addresses that rejected one. */
async function stopBouncedAddresses(db: Database, config: AskSettings): Promise<void> {
  const bounced = await db
    .selectDistinct({ email: mails.recipient })
    .from(mails)
    .where(and(eq(mails.state, "given-up"), like(mails.cause, `${questionCause}:%`), isRejected()));
  if (bounced.length === 0) return;
  const stops = bounced.map(({ email }) => ({
    contactHash: hashContactAddress(config, email),
    reason: "bounced" as const,
    at: now(),
  }));
  await db.insert(stoppedContacts).values(stops).onConflictDoNothing();
}

async function isStopped(tx: Database, emailHashes: string[]): Promise<boolean> {
  return (await tx.$count(stoppedContacts, inArray(stoppedContacts.contactHash, emailHashes))) > 0;
}

async function isMailedLately(tx: Database, emailHashes: string[]): Promise<boolean> {
  const since = new Date(now().getTime() - mailInterval);
  const isRecent = or(gt(contactQuestions.askedAt, since), gt(contactQuestions.remindedAt, since));
  const recent = and(inArray(contactQuestions.emailHash, emailHashes), isRecent);
  return (await tx.$count(contactQuestions, recent)) > 0;
}

type DueListing = ContactColumns & { id: string; dueAt: Date };

const listingsPerPage = 500;

/** Lists the due listings that may have a contact to ask, in pages, the longest due first. */
async function* listDueListings(db: Database): AsyncGenerator<DueListing[]> {
  let last: DueListing | undefined;
  do {
    const page: DueListing[] = await db
      .select(selectDue())
      .from(jobs)
      .where(
        and(
          isDue(),
          or(isNotNull(jobs.checkEmail), like(jobs.pocContact, "%@%")),
          last &&
            sql`(${selectDueAt()}, ${jobs.id}) > (${last.dueAt.toISOString()}::timestamptz, ${last.id}::uuid)`,
        ),
      )
      .orderBy(asc(selectDueAt()), asc(jobs.id))
      .limit(listingsPerPage);
    yield page;
    last = page.length === listingsPerPage ? page.at(-1) : undefined;
  } while (last);
}

const selectDue = () => ({
  id: jobs.id,
  dueAt: selectDueAt(),
  checkEmail: jobs.checkEmail,
  pocContact: jobs.pocContact,
});

/** The date of the check that is due, or on which the listing began to name its contact. */
function selectDueAt() {
  return sql<Date>`case when ${isCheckDue()} then ${jobs.checkDueAt} else ${jobs.contactNamedAt} end`.mapWith(
    jobs.checkDueAt,
  );
}

/**
 * True in SQL for an open listing whose contact is to be asked. After a removal, staff check what the owner publishes
 * first: they can name themselves as the contact.
 */
function isDue() {
  return and(
    isOpen,
    or(not(jobs.followsRemoval), isNotNull(jobs.checkedAt)),
    or(isCheckDue(), isNewlyNamed()),
  );
}

/** True in SQL for a listing whose check is due, and whose contact wasn't asked about it. */
function isCheckDue() {
  return and(
    isRecent(jobs.checkDueAt),
    sql`not exists (select from contact_questions
      where contact_questions.job_id = ${jobs.id} and contact_questions.due_at = ${jobs.checkDueAt})`,
  );
}

/** True in SQL for a listing that wasn't asked about since it names its contact. */
function isNewlyNamed() {
  return and(
    isRecent(jobs.contactNamedAt),
    sql`not exists (select from contact_questions
      where contact_questions.job_id = ${jobs.id} and contact_questions.asked_at >= ${jobs.contactNamedAt})`,
  );
}

function isRecent(date: PgColumn) {
  const moment = now();
  return and(lte(date, moment), gt(date, new Date(moment.getTime() - askWithin)));
}

function groupByAddress(listings: DueListing[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const listing of listings) {
    const email = findContactAddress(listing);
    if (email) groups.set(email, [...(groups.get(email) ?? []), listing.id]);
  }
  return groups;
}

async function listAddressesToRemind(db: Database): Promise<string[]> {
  const rows = await db
    .selectDistinct({ email: contactQuestions.email })
    .from(contactQuestions)
    .innerJoin(jobs, eq(jobs.id, contactQuestions.jobId))
    .where(isToRemind())
    .orderBy(asc(contactQuestions.email))
    .limit(maxMailsPerDay);
  return rows.flatMap(({ email }) => email ?? []);
}

/** True in SQL for a question without an answer, while the check that it is about is still due. */
function isToRemind() {
  const since = now().getTime() - remindAfter;
  return and(
    isNull(contactQuestions.answeredAt),
    isNull(contactQuestions.remindedAt),
    isNotNull(contactQuestions.email),
    lte(contactQuestions.askedAt, new Date(since)),
    gt(contactQuestions.askedAt, new Date(since - askWithin)),
    isOpen,
    eq(jobs.checkDueAt, contactQuestions.dueAt),
  );
}

async function createQuestions(
  tx: Database,
  config: AskSettings,
  { email, emailHash, jobIds }: { email: string; emailHash: string; jobIds: string[] },
): Promise<QuestionAbout[]> {
  const due = await tx
    .select({
      ...selectDue(),
      isCheckDue: sql<boolean>`${isCheckDue()}`,
      title: jobs.title,
      company: jobs.company,
    })
    .from(jobs)
    .where(and(inArray(jobs.id, jobIds), isDue()))
    .orderBy(asc(selectDueAt()), asc(jobs.id));
  const listings = due
    .filter((job) => findContactAddress(job) === email)
    .slice(0, maxListingsPerMail)
    .map((job) => ({ ...job, token: generateCheckToken() }));
  if (listings.length === 0) return [];
  const created = await tx
    .insert(contactQuestions)
    .values(
      listings.map(({ id: jobId, dueAt, token }) => {
        const tokenHash = hashToken(token);
        return { jobId, email, emailHash, tokenHash, dueAt, askedAt: now() };
      }),
    )
    .onConflictDoNothing({ target: [contactQuestions.jobId, contactQuestions.dueAt] })
    .returning({ id: contactQuestions.id, jobId: contactQuestions.jobId });
  const idsByJob = new Map(created.map(({ id, jobId }) => [jobId, id]));
  return listings.flatMap(({ id, title, company, token, ...listing }) => {
    const questionId = idsByJob.get(id);
    const kind = listing.isCheckDue ? "check" : "consent";
    const link = buildCheckLink(config, token);
    return questionId ? [{ questionId, kind, title, company, link }] : [];
  });
}

/** Adds the reminders that are due to an email that already asks about some listings. */
async function addReminders(
  tx: Database,
  config: AskSettings,
  { email, emailHashes }: { email: string; emailHashes: string[] },
  askedAbout: number,
): Promise<QuestionAbout[]> {
  const due = await tx
    .select({
      id: contactQuestions.id,
      title: jobs.title,
      company: jobs.company,
      checkEmail: jobs.checkEmail,
      pocContact: jobs.pocContact,
    })
    .from(contactQuestions)
    .innerJoin(jobs, eq(jobs.id, contactQuestions.jobId))
    .where(and(inArray(contactQuestions.emailHash, emailHashes), isToRemind()))
    .orderBy(asc(contactQuestions.askedAt), asc(contactQuestions.id));
  const own = due.filter((listing) => findContactAddress(listing) === email);
  const reminded: QuestionAbout[] = [];
  for (const { id, title, company } of own.slice(0, maxListingsPerMail - askedAbout)) {
    const token = generateCheckToken();
    await tx
      .update(contactQuestions)
      .set({ remindedAt: now(), reminderTokenHash: hashToken(token) })
      .where(eq(contactQuestions.id, id));
    const link = buildCheckLink(config, token);
    reminded.push({ questionId: id, kind: "reminder", title, company, link });
  }
  return reminded;
}

/** Generates the token of a link: 128 random bits. Only its hash is stored. */
export function generateCheckToken(): string {
  return randomBytes(16).toString("base64url");
}

/** Builds the address where a contact answers. */
export function buildCheckLink({ origin }: Pick<Config, "origin">, token: string): string {
  return `${origin}/check/${token}`;
}

/** Deletes old questions with their addresses, and returns their number. Their links have expired by then. */
export function deleteExpiredQuestions(db: Database): Promise<number> {
  const before = new Date(now().getTime() - questionRetention);
  return deleteRowsInSteps(
    db,
    contactQuestions,
    contactQuestions.id,
    lt(contactQuestions.askedAt, before),
  );
}
