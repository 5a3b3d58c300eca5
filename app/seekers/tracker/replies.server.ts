import {
  and,
  between,
  eq,
  gt,
  inArray,
  isNull,
  like,
  lt,
  lte,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { toCompanyKey } from "../../jobs/replies/company-key.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { day, getDayStart, now, timeZone, toIsoDay } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  appliedStates,
  isFoundElsewhere,
  listingPrefix,
  maxReplyQuestionDays,
  type ReplyAnswer,
  type ReplyOutcome,
  replyQuestionDays,
  trackerMessages,
} from "./rules.ts";
import { replyAnswers, trackedJobs } from "./tables.server.ts";

/** The job about whose company a person is asked now. */
export type ReplyQuestion = { id: string; title: string; company: string; appliedOn: string };

/** We ask a person at most once in this time, counted from their last answer. */
const questionInterval = 7 * day;

const getDayAgo = (days: number) => toIsoDay(new Date(now().getTime() - days * day));

/**
 * Selects the question that is due to each person: about the oldest application without an answer, or whose "not yet" is
 * due again. For a week after an answer, nobody is asked anything. Jobs from elsewhere are left out, since nobody has
 * checked the name of their company.
 *
 * @param whose which people, by `users` and `tracked_jobs`
 */
function selectDueQuestions(db: Database, whose: SQL | undefined) {
  const recent = alias(replyAnswers, "recent");
  const isAskedAgain = and(
    eq(replyAnswers.outcome, "not-yet"),
    lte(trackedJobs.appliedOn, getDayAgo(replyQuestionDays.second)),
    lt(
      replyAnswers.at,
      sql`(${trackedJobs.appliedOn} + ${replyQuestionDays.second}::int)::timestamp at time zone ${timeZone}`,
    ),
  );
  return db
    .selectDistinctOn([trackedJobs.userId], {
      userId: trackedJobs.userId,
      email: users.email,
      askedAt: trackedJobs.askedAt,
      id: trackedJobs.id,
      title: trackedJobs.title,
      company: trackedJobs.company,
      appliedOn: sql<string>`${trackedJobs.appliedOn}`,
      isSecond: sql<boolean>`${replyAnswers.id} is not null`,
    })
    .from(trackedJobs)
    .innerJoin(users, eq(users.id, trackedJobs.userId))
    .leftJoin(replyAnswers, eq(replyAnswers.trackedJobId, trackedJobs.id))
    .where(
      and(
        whose,
        inArray(trackedJobs.state, appliedStates),
        like(trackedJobs.url, `${listingPrefix}%`),
        between(
          trackedJobs.appliedOn,
          getDayAgo(maxReplyQuestionDays),
          getDayAgo(replyQuestionDays.first),
        ),
        or(isNull(replyAnswers.id), isAskedAgain),
        notExists(
          db
            .select({ one: sql`1` })
            .from(recent)
            .where(
              and(
                eq(recent.userId, trackedJobs.userId),
                gt(recent.at, new Date(now().getTime() - questionInterval)),
              ),
            ),
        ),
      ),
    )
    .orderBy(trackedJobs.userId, trackedJobs.appliedOn, trackedJobs.id);
}

/** Finds the question that is due to the actor; null for none. */
export async function findReplyQuestion(
  db: Database,
  actor: Pick<Actor, "id">,
): Promise<ReplyQuestion | null> {
  const [due] = await selectDueQuestions(db, eq(trackedJobs.userId, actor.id));
  return due ? toQuestion(due) : null;
}

function toQuestion({ id, title, company, appliedOn }: ReplyQuestion): ReplyQuestion {
  return { id, title, company, appliedOn };
}

/**
 * Lists the questions that emails to some addresses may ask, by address: those that no email has asked, at most one a week
 * and person. Only the confirmed address of an account counts.
 */
export async function listQuestionsToMail(
  db: Database,
  emails: readonly string[],
): Promise<Map<string, ReplyQuestion>> {
  const others = alias(trackedJobs, "others");
  const recentMail = db
    .select({ one: sql`1` })
    .from(others)
    .where(
      and(
        eq(others.userId, users.id),
        gt(others.askedAt, new Date(now().getTime() - questionInterval)),
      ),
    );
  const rows = await selectDueQuestions(
    db,
    and(inArray(users.email, [...emails]), users.emailVerified, notExists(recentMail)),
  );
  return new Map(
    rows.filter(isNotMailed).map(({ email, ...question }) => [email, toQuestion(question)]),
  );
}

type DueQuestion = Awaited<ReturnType<typeof selectDueQuestions>>[number];

function isNotMailed({ askedAt, appliedOn, isSecond }: DueQuestion): boolean {
  const days = isSecond ? replyQuestionDays.second : replyQuestionDays.first;
  return askedAt === null || askedAt.getTime() < getDayStart(appliedOn).getTime() + days * day;
}

/** Records that an email asks about a job. */
export async function recordMailedQuestion(tx: Database, { id }: ReplyQuestion): Promise<void> {
  await tx.update(trackedJobs).set({ askedAt: now() }).where(eq(trackedJobs.id, id));
}

/** Finds the actor's answer about one of their jobs, also a withdrawn one; null for none. */
export async function findReplyAnswer(
  db: Database,
  actor: Pick<Actor, "id">,
  trackedJobId: string,
): Promise<ReplyOutcome | null> {
  const [row] = await db
    .select({ outcome: replyAnswers.outcome })
    .from(replyAnswers)
    .where(and(eq(replyAnswers.trackedJobId, trackedJobId), eq(replyAnswers.userId, actor.id)));
  return row?.outcome ?? null;
}

/**
 * Saves if a company replied to the actor, or changes the answer. The same answer to the same question changes nothing.
 *
 * @throws {NotFound} when the job isn't in their list
 * @throws {Conflict} when it is too early, or they didn't apply through the board
 */
export async function answerReplyQuestion(
  db: Database,
  actor: Actor | null,
  { id, outcome }: { id: string; outcome: ReplyAnswer },
): Promise<void> {
  authorize(actor, "tracker.keep");
  await db.transaction(async (tx) => {
    const job = await lockTrackedJob(tx, actor, id);
    const isApplied = appliedStates.some((state) => state === job.state);
    if (!isApplied || !job.appliedOn || isFoundElsewhere(job))
      throw new Conflict(trackerMessages.notApplied);
    if (job.appliedOn > getDayAgo(replyQuestionDays.first))
      throw new Conflict(trackerMessages.early);
    const answer = { outcome, companyKey: await findCompanyKey(tx, job), at: now() };
    const second = new Date(getDayStart(job.appliedOn).getTime() + replyQuestionDays.second * day);
    const { rowCount } = await tx
      .insert(replyAnswers)
      .values({ ...answer, trackedJobId: id, userId: actor.id })
      .onConflictDoUpdate({
        target: replyAnswers.trackedJobId,
        set: answer,
        // The second question can get the same answer as the first.
        setWhere: or(
          ne(replyAnswers.outcome, outcome),
          answer.at >= second ? lt(replyAnswers.at, second) : undefined,
        ),
      });
    if (rowCount) await updateVersion(tx, id);
  });
}

/**
 * Withdraws the actor's answer about a job. It doesn't count any more, and they aren't asked again. Does nothing without
 * an answer.
 *
 * @throws {NotFound} when the job isn't in their list
 */
export async function withdrawReplyAnswer(
  db: Database,
  actor: Actor | null,
  { id }: { id: string },
): Promise<void> {
  authorize(actor, "tracker.keep");
  await db.transaction(async (tx) => {
    await lockTrackedJob(tx, actor, id);
    const { rowCount } = await tx
      .update(replyAnswers)
      .set({ outcome: "withdrawn", at: now() })
      .where(and(eq(replyAnswers.trackedJobId, id), ne(replyAnswers.outcome, "withdrawn")));
    if (rowCount) await updateVersion(tx, id);
  });
}

/** Locks one of the actor's jobs. @throws {NotFound} when it isn't in their list */
export async function lockTrackedJob(tx: Database, actor: Actor, id: string) {
  const [row] = isUuid(id)
    ? await tx
        .select()
        .from(trackedJobs)
        .where(and(eq(trackedJobs.id, id), eq(trackedJobs.userId, actor.id)))
        .for("update")
    : [];
  if (!row) throw new NotFound(trackerMessages.gone);
  return row;
}

/** Names the company of a job. A deleted listing has only the name that was copied. */
export async function findCompanyKey(
  tx: Database,
  { jobId, company }: { jobId: string | null; company: string },
): Promise<string> {
  const [listing] = jobId
    ? await tx
        .select({ companyId: jobs.companyId, company: jobs.company })
        .from(jobs)
        .where(eq(jobs.id, jobId))
    : [];
  return toCompanyKey(listing ?? { companyId: null, company });
}

async function updateVersion(tx: Database, id: string): Promise<void> {
  await tx
    .update(trackedJobs)
    .set({ version: sql`${trackedJobs.version} + 1` })
    .where(eq(trackedJobs.id, id));
}
