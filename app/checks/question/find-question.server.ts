import { and, asc, desc, eq, gte, ne, or, sql } from "drizzle-orm";
import { hashToken } from "../../accounts/session.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { findContactAddress } from "../../jobs/contact/contact-address.server.ts";
import { hasAddress } from "./listings-of-contact.server.ts";
import { type Answer, linkLifetime } from "./rules.ts";
import { contactQuestions } from "./tables.server.ts";

export const invalidLink = "This link isn't complete, or it's too old.";
export const replacedContact =
  "The listing names another contact now, so we don't need your answer.";
export const closedListing = "This job is no longer on the board, so we don't need your answer.";

/** A listing that names the contact, as they see it. */
export type NamingListing = Awaited<ReturnType<typeof listNamingListings>>[number];

export type ShownQuestion = {
  /**
   * "waiting" for an answer; "closed": the listing isn't public; "replaced": it names another contact; "answered";
   * "expired": too old.
   */
  state: "waiting" | "closed" | "replaced" | "answered" | "expired";
  answer: Answer | null;
  answeredAt: Date | null;
  job: { id: string; title: string; company: string; isOpen: boolean };
  /** True if they can still answer, or answer otherwise. */
  canAnswer: boolean;
  /** The listings that name the contact, newest first, at most `maxShownListings`. Empty for an expired link. */
  listings: NamingListing[];
  /** True if more listings name them. */
  hasMore: boolean;
  /** True if they can still have their name removed with this link. */
  canRemove: boolean;
};

const maxShownListings = 10;

/** Finds the question that a link leads to. Changes nothing. @returns null for an unknown link */
export async function findQuestion(db: Database, token: string): Promise<ShownQuestion | null> {
  const [question] = await selectQuestion(db, token);
  if (!question) return null;
  const { answer, answeredAt, email, job } = question;
  const { id, title, company } = job;
  const view = { answer, answeredAt, job: { id, title, company, isOpen: job.isOpen } };
  const none = { listings: [], hasMore: false, canAnswer: false, canRemove: false };
  if (answer === "withdrawn" || email === null) return { ...view, ...none, state: "answered" };
  if (isExpired(question)) return { ...view, ...none, state: "expired" };
  const listings = await listNamingListings(db, email, id);
  const isPending = job.isOpen || (await isClosedByAnswer(db, question));
  return {
    ...view,
    state: getState(question),
    canAnswer: isPending && isStillContact(question),
    listings: listings.slice(0, maxShownListings),
    hasMore: listings.length > maxShownListings,
    canRemove: true,
  };
}

/**
 * Finds the question of a link for a command. The caller locks the contact and reads it again with `selectQuestion`.
 *
 * @throws {NotFound} for an unknown or expired link
 */
export async function getQuestion(db: Database, token: string) {
  const [question] = await selectQuestion(db, token);
  const isUsable = question && (question.answer === "withdrawn" || !isExpired(question));
  if (!isUsable) throw new NotFound(invalidLink);
  return question;
}

/** Selects the question of a link and its listing. */
function selectQuestion(db: Database, token: string) {
  const hash = hashToken(token);
  return db
    .select({
      id: contactQuestions.id,
      email: contactQuestions.email,
      emailHash: contactQuestions.emailHash,
      askedAt: contactQuestions.askedAt,
      remindedAt: contactQuestions.remindedAt,
      answeredAt: contactQuestions.answeredAt,
      answer: contactQuestions.answer,
      job: {
        id: jobs.id,
        title: jobs.title,
        company: jobs.company,
        checkEmail: jobs.checkEmail,
        pocContact: jobs.pocContact,
        isArchived: jobs.isArchived,
        archivedReason: jobs.archivedReason,
        isOpen: sql<boolean>`${isOpen}`,
      },
    })
    .from(contactQuestions)
    .innerJoin(jobs, eq(jobs.id, contactQuestions.jobId))
    .where(or(eq(contactQuestions.tokenHash, hash), eq(contactQuestions.reminderTokenHash, hash)));
}

type FoundQuestion = Awaited<ReturnType<typeof selectQuestion>>[number];

/** Returns the state of a question whose link works. */
function getState(question: FoundQuestion): Exclude<ShownQuestion["state"], "expired"> {
  if (question.answer) return "answered";
  if (!isStillContact(question)) return "replaced";
  return question.job.isOpen ? "waiting" : "closed";
}

/** Checks whether the listing still names the asked contact. */
export function isStillContact({ email, job }: FoundQuestion): boolean {
  return email !== null && findContactAddress(job) === email;
}

/** Checks whether the contact's answer archived the listing, and nobody has changed it since. */
export async function isClosedByAnswer(
  db: Database,
  { answer, answeredAt, job }: Pick<FoundQuestion, "answer" | "answeredAt"> & { job: ClosedJob },
): Promise<boolean> {
  if (!job.isArchived || answeredAt === null || job.archivedReason !== answer) return false;
  const isLater = and(
    eq(auditEvents.subjectId, job.id),
    gte(auditEvents.at, answeredAt),
    ne(auditEvents.event, "job.answer"),
  );
  return (await db.$count(auditEvents, isLater)) === 0;
}

type ClosedJob = Pick<FoundQuestion["job"], "id" | "isArchived" | "archivedReason">;

function isExpired({ askedAt, remindedAt }: FoundQuestion): boolean {
  return (remindedAt ?? askedAt).getTime() + linkLifetime < now().getTime();
}

/** Lists listings that name an address: the asked one first, then public ones. Reads one more than is shown. */
function listNamingListings(db: Database, email: string, jobId: string) {
  return db
    .select({
      id: jobs.id,
      title: jobs.title,
      company: jobs.company,
      isOpen: sql<boolean>`${isOpen}`,
      // Logged-in people see these two, and only staff the last.
      pocName: jobs.pocName,
      pocContact: jobs.pocContact,
      checkEmail: jobs.checkEmail,
    })
    .from(jobs)
    .where(hasAddress(email))
    .orderBy(sql`${jobs.id} = ${jobId} desc`, asc(jobs.isArchived), desc(jobs.postedAt))
    .limit(maxShownListings + 1);
}
