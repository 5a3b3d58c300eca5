import { toAsciiDigits, cleanLine, cleanText } from "../../platform/text/text.ts";
import { and, desc, eq, or, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { buildJobFilter } from "../../jobs/filters/job-filter.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { ServiceKey } from "../second-looks.ts";
import {
  type Language,
  languages,
  listReviewFields,
  type ReviewField,
  type Wish,
} from "../fields-and-languages.ts";
import { getServiceKey, isOwnDraft } from "../second-looks.server.ts";
import { reviewBriefs, reviewDrafts, reviewQuestions, serviceReviews } from "../tables.server.ts";
import {
  type Brief,
  formatBriefSummary,
  briefLimits as limits,
  briefMessages as messages,
  encodeBrief,
  formatJobName,
  type OfferedBrief,
  questionFields,
  type Question,
  type ReviewBrief,
  toTypedBrief,
} from "../brief.ts";

const question = z
  .string()
  .transform((typed) => cleanText(typed).trim())
  .refine((text) => text.length <= limits.question, messages.questionTooLong);

/** Builds the schema of an optional choice; an empty one is null. */
function buildChoiceSchema<Value extends string>(values: readonly Value[], problem: string) {
  return z
    .string()
    .refine((chosen) => chosen === "" || values.some((value) => value === chosen), problem)
    .transform((chosen) => (chosen as Value) || null);
}

/** The schema of a brief's form fields; all can be empty. */
export const briefSchema = {
  targetRole: z
    .string()
    .transform((typed) => cleanLine(typed).replace(/\s+/g, " "))
    .refine((text) => text.length <= limits.role, messages.roleTooLong),
  years: z
    .string()
    .transform((typed) => toAsciiDigits(cleanLine(typed)))
    .refine((text) => /^\d{0,2}$/.test(text) && Number(text) <= limits.years, messages.yearsUnknown)
    .transform((text) => (text === "" ? null : Number(text))),
  question1: question,
  question2: question,
  question3: question,
  wishedField: buildChoiceSchema<ReviewField>(
    listReviewFields().map(({ value }) => value),
    messages.fieldUnknown,
  ),
  wishedLanguage: buildChoiceSchema<Language>(languages, messages.languageUnknown),
};

export type SentBrief = {
  [Field in keyof typeof briefSchema]: z.output<(typeof briefSchema)[Field]>;
};

/** Checks whether a form sends the brief that was saved when it was rendered, encoded by `encodeBrief`. */
export function isBriefUnchanged(brief: SentBrief, kept: string | undefined): boolean {
  const { years, wishedField, wishedLanguage, ...form } = brief;
  const typed = {
    ...form,
    years: String(years ?? ""),
    wishedField: wishedField ?? "",
    wishedLanguage: wishedLanguage ?? "",
  };
  return encodeBrief(typed) === kept;
}

/**
 * Saves a brief in the actor's draft; an empty one deletes it.
 *
 * @param target a type of review, or the review that a second look is for
 * @throws {NotFound} for another person's review.
 */
export async function saveBrief(
  db: Database,
  actor: Actor | null,
  target: string,
  brief: SentBrief,
): Promise<void> {
  authorize(actor, "review.brief");
  const key = await getServiceKey(db, actor, target);
  await saveDraftBrief(db, actor, key, await toBrief(db, brief));
}

/**
 * Saves a brief in a person's draft, and creates the draft if needed. The revision does not change, so a
 * payment in progress stays valid.
 */
export async function saveDraftBrief(
  db: Database,
  { id: userId }: { id: string },
  { type: serviceType, secondLookOf }: ServiceKey,
  brief: Brief | null,
): Promise<void> {
  const at = now();
  await db
    .insert(reviewDrafts)
    .values({ userId, serviceType, secondLookOf, brief, createdAt: at, updatedAt: at })
    .onConflictDoUpdate({
      target: [reviewDrafts.userId, reviewDrafts.serviceType, reviewDrafts.secondLookOf],
      set: { brief, updatedAt: at },
      setWhere: sql`${reviewDrafts.brief} is distinct from excluded.brief`,
    });
}

/**
 * Converts a sent brief to its stored form. If the target names a job of the board, its title and company are
 * copied, since the job can be deleted later.
 *
 * @returns null for an empty brief
 */
export async function toBrief(
  db: Database,
  { targetRole, years, wishedField, wishedLanguage, ...answers }: SentBrief,
): Promise<Brief | null> {
  const questions = questionFields.map((field) => answers[field]).filter((text) => text !== "");
  const wish = toWish({ wishedField, wishedLanguage });
  if (targetRole === "" && years === null && questions.length === 0 && !wish) return null;
  const job = await findOpenJob(db, targetRole);
  return {
    role: job?.title ?? (targetRole || null),
    company: job?.company ?? null,
    years,
    questions,
    ...(wish && { wish }),
  };
}

function toWish({ wishedField: field, wishedLanguage: language }: WishColumns): Wish | undefined {
  return field || language ? { field, language } : undefined;
}

type WishColumns = Pick<typeof reviewBriefs.$inferSelect, "wishedField" | "wishedLanguage">;

/** Finds the open job with this name. Title and company can also contain " at ", so all splits are tried. */
async function findOpenJob(db: Database, name: string) {
  const parts = name.split(" at ");
  const candidates = parts.slice(1).map((_, index) => ({
    title: parts.slice(0, index + 1).join(" at "),
    company: parts.slice(index + 1).join(" at "),
  }));
  if (candidates.length === 0) return undefined;
  const [job] = await db
    .select({
      title: sql<string>`trim(${jobs.title})`,
      company: sql<string>`trim(${jobs.company})`,
    })
    .from(jobs)
    .where(
      and(
        isOpen,
        or(
          ...candidates.map(({ title, company }) =>
            and(
              // The search uses the index; the two comparisons then require an exact match.
              buildJobFilter({ search: title }).condition,
              matchesText(jobs.title, title),
              matchesText(jobs.company, company),
            ),
          ),
        ),
      ),
    )
    .limit(1);
  return job;
}

function matchesText(stored: PgColumn, typed: string) {
  return sql`trim(search_form(${stored})) = trim(search_form(${typed}))`;
}

/** Lists the names of the newest open jobs that match a search, without duplicates. */
export async function listJobNames(db: Database, search: string): Promise<string[]> {
  const rows = await db
    .select({ title: jobs.title, company: jobs.company })
    .from(jobs)
    .where(and(isOpen, buildJobFilter({ search }).condition))
    .orderBy(desc(jobs.postedAt), desc(jobs.id))
    .limit(maxNames);
  return [...new Set(rows.map(formatJobName))];
}

const maxNames = 20;

/** Returns the brief in a person's draft, and the brief of their newest review that has one. */
export async function getOwnBriefs(
  db: Database,
  actor: { id: string },
  key: ServiceKey,
): Promise<{ draft: Brief | null; last: Brief | null }> {
  const [draft, [newest]] = await Promise.all([
    db.select({ brief: reviewDrafts.brief }).from(reviewDrafts).where(isOwnDraft(actor, key)),
    db
      .select({ id: serviceReviews.id })
      .from(serviceReviews)
      .innerJoin(reviewBriefs, eq(reviewBriefs.reviewId, serviceReviews.id))
      .where(eq(serviceReviews.userId, actor.id))
      .orderBy(desc(serviceReviews.createdAt))
      .limit(1),
  ]);
  const last = newest ? await findUnansweredBrief(db, newest.id) : null;
  return { draft: draft[0]?.brief ?? null, last };
}

/** Finds the brief of a review as it was bought; null without one. Check permission before calling it. */
export async function findUnansweredBrief(db: Database, reviewId: string): Promise<Brief | null> {
  const brief = await findStoredBrief(db, reviewId);
  return brief && { ...brief, questions: brief.questions.map(({ question }) => question) };
}

/**
 * Returns the brief for the payment step.
 *
 * @param request "last" to reuse an earlier review's brief; "open" to show the fields
 */
export async function getOfferedBrief(
  db: Database,
  actor: { id: string },
  key: ServiceKey,
  request: string | null,
): Promise<OfferedBrief> {
  const [{ draft, last }, names] = await Promise.all([
    getOwnBriefs(db, actor, key),
    listJobNames(db, ""),
  ]);
  const initial = draft ?? (request === "last" ? last : null);
  return {
    typed: toTypedBrief(initial),
    kept: encodeBrief(toTypedBrief(draft)),
    inShort: initial ? formatBriefSummary(initial) : "",
    last: !initial && last ? formatBriefSummary(last) : null,
    isOpen: request !== null,
    jobs: names,
    wishes: {
      fields: listReviewFields(),
      languages: languages.map((language) => ({ value: language, label: language })),
    },
  };
}

/** Adds the brief of a paid order to its review. */
export async function addBrief(tx: Database, reviewId: string, brief: Brief | null): Promise<void> {
  if (!brief) return;
  const { questions, wish, ...aim } = brief;
  const wished = { wishedField: wish?.field, wishedLanguage: wish?.language };
  await tx.insert(reviewBriefs).values({ reviewId, ...aim, ...wished });
  if (questions.length === 0) return;
  await tx
    .insert(reviewQuestions)
    .values(questions.map((text, index) => ({ reviewId, position: index + 1, question: text })));
}

/**
 * Finds a review's brief with answers, without the wish for a reviewer. Check permission before calling it.
 *
 * @returns null without a brief, or if it is only a wish
 */
export async function findBrief(db: Database, reviewId: string): Promise<ReviewBrief | null> {
  const stored = await findStoredBrief(db, reviewId);
  if (!stored) return null;
  const { wish: _, ...brief } = stored;
  return brief.role || brief.years !== null || brief.questions.length > 0 ? brief : null;
}

async function findStoredBrief(
  db: Database,
  reviewId: string,
): Promise<(ReviewBrief & Pick<Brief, "wish">) | null> {
  const rows = await db
    .select({ aim: reviewBriefs, question: reviewQuestions })
    .from(reviewBriefs)
    .leftJoin(reviewQuestions, eq(reviewQuestions.reviewId, reviewBriefs.reviewId))
    .where(eq(reviewBriefs.reviewId, reviewId))
    .orderBy(reviewQuestions.position);
  const [first] = rows;
  if (!first) return null;
  const { role, company, years, ...wished } = first.aim;
  const wish = toWish(wished);
  const questions = rows.flatMap(({ question }): Question[] => {
    if (!question) return [];
    const { position, question: text, answer } = question;
    return [{ position, question: text, answer }];
  });
  return { role, company, years, questions, ...(wish && { wish }) };
}
