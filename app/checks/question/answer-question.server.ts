import { and, eq, inArray } from "drizzle-orm";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { recordCheck } from "../../jobs/job-checks.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { listContactHashes, lockContact } from "../../jobs/contact/contact-address.server.ts";
import {
  closedListing,
  getQuestion,
  isClosedByAnswer,
  isStillContact,
  replacedContact,
} from "./find-question.server.ts";
import { describeAnswer, type JobAnswer } from "./rules.ts";
import { contactQuestions } from "./tables.server.ts";

/** The limit for answers: many people share an IP address. */
export const answerByClient: RateLimit = { name: "check-answer-client", max: 60, windowMs: hour };

/**
 * Records a contact's answer about their listing: a check, and for an open job their consent to be its contact. Their
 * last answer counts, so another one replaces it and also reopens a listing that only their own answer closed. The same
 * answer again changes nothing.
 *
 * @throws {NotFound} for an unknown or expired link
 * @throws {Conflict} if they had their name removed, or if the listing names another contact or was closed by others
 */
export async function recordContactAnswer(
  db: Database,
  config: Pick<Config, "checks" | "secrets">,
  { token, answer }: { token: string; answer: JobAnswer },
): Promise<void> {
  const { emailHash } = await getQuestion(db, token);
  await db.transaction(async (tx) => {
    await lockContact(tx, [emailHash]);
    const question = await getQuestion(tx, token);
    if (question.answer === answer) return;
    const { email, job } = question;
    if (email === null || question.answer === "withdrawn")
      throw new Conflict(describeAnswer("withdrawn", question.answeredAt ?? now()));
    if (!isStillContact(question)) throw new Conflict(replacedContact);
    await restoreOwnListing(tx, question);
    if (answer === "open") await recordConsent(tx, { email }, { purpose: "contact", how: "check" });
    const check = { kind: "contact", result: answer, actorId: null } as const;
    // Others may have closed it, even a moment ago.
    if (!(await recordCheck(tx, job.id, check, config.checks))) throw new Conflict(closedListing);
    // Every link about this listing answers the same.
    await tx
      .update(contactQuestions)
      .set({ answer, answeredAt: now() })
      .where(
        and(
          eq(contactQuestions.jobId, job.id),
          inArray(contactQuestions.emailHash, listContactHashes(config, email)),
        ),
      );
    await recordAuditEvents(tx, [
      {
        actor: "contact",
        event: "job.answer",
        subject: { type: "job", id: job.id },
        before: question.answer ? { answer: question.answer } : null,
        after: { answer },
      },
    ]);
  });
}

/** Puts a listing that this contact's own answer closed back, before their new answer. */
async function restoreOwnListing(tx: Database, question: Awaited<ReturnType<typeof getQuestion>>) {
  const { id } = question.job;
  const [job] = await tx
    .select({ isArchived: jobs.isArchived, archivedReason: jobs.archivedReason })
    .from(jobs)
    .where(eq(jobs.id, id))
    .for("no key update");
  if (!job || !(await isClosedByAnswer(tx, { ...question, job: { ...job, id } }))) return;
  await tx.update(jobs).set({ isArchived: false, archivedReason: null }).where(eq(jobs.id, id));
}
