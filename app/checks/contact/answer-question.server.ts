import { and, eq, isNull } from "drizzle-orm";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { recordCheck } from "../../jobs/job-checks.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { lockContact } from "./contact-address.server.ts";
import { closedListing, getQuestion, getState, replacedContact } from "./find-question.server.ts";
import { describeAnswer, type JobAnswer } from "./rules.ts";
import { contactQuestions } from "./tables.server.ts";

/** The limit for answers: many people share an IP address. */
export const answerByClient: RateLimit = { name: "check-answer-client", max: 60, windowMs: hour };

/**
 * Records a contact's answer about their listing: a check, and for an open job their consent to be its contact. The same
 * answer again changes nothing.
 *
 * @throws {NotFound} for an unknown or expired link
 * @throws {Conflict} if they answered otherwise, or if the listing is closed or names another contact
 */
export async function recordContactAnswer(
  db: Database,
  config: Pick<Config, "checks">,
  { token, answer }: { token: string; answer: JobAnswer },
): Promise<void> {
  const { emailHash } = await getQuestion(db, token);
  await db.transaction(async (tx) => {
    await lockContact(tx, [emailHash]);
    const question = await getQuestion(tx, token);
    if (question.answer === answer) return;
    if (question.answer && question.answeredAt)
      throw new Conflict(
        `${describeAnswer(question.answer, question.answeredAt)} That didn't change.`,
      );
    const state = getState(question);
    if (state === "replaced") throw new Conflict(replacedContact);
    if (state === "closed" || question.email === null) throw new Conflict(closedListing);
    const { id, email, job } = question;
    if (answer === "open") await recordConsent(tx, { email }, { purpose: "contact", how: "check" });
    const check = { kind: "contact", result: answer, actorId: null } as const;
    // An archiving or another check may have been faster.
    if (!(await recordCheck(tx, job.id, check, config.checks))) throw new Conflict(closedListing);
    await tx
      .update(contactQuestions)
      .set({ answer, answeredAt: now() })
      .where(and(eq(contactQuestions.id, id), isNull(contactQuestions.answeredAt)));
    await recordAuditEvents(tx, [
      {
        actor: "contact",
        event: "job.answer",
        subject: { type: "job", id: job.id },
        after: { answer },
      },
    ]);
  });
}
