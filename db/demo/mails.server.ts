import { randomUUID } from "node:crypto";
import { asc, eq, inArray, not } from "drizzle-orm";
import { users } from "../../app/accounts/tables.server.ts";
import { countAnnotations } from "../../app/annotations/remarks/read-annotations.server.ts";
import { createMail, type NewMail, type Sender } from "../../app/mail/deliver-mail.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import {
  buildRefundRequestMail,
  buildBuyerMail,
  buildDeclineText,
  buildSettlementText,
} from "../../app/payments/emails.tsx";
import { decidedWithin } from "../../app/payments/refund-rules.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import type { AuditEvent } from "../../app/platform/audit.server.ts";
import { day, hour, second } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { listPurchaseMails } from "../../app/review-customer/buy/emails.server.tsx";
import {
  buildAssignmentMail,
  buildCompletionMail,
  type CompletionSender,
} from "../../app/reviews/emails/customer-emails.server.tsx";
import { buildAssignedReviewsMail } from "../../app/reviews/emails/reviewer-emails.server.tsx";
import { reviewAssignments, serviceReviews } from "../../app/reviews/tables.server.ts";
import { buildMessageAnswerMail } from "../../app/support/answer/messages.server.tsx";
import {
  buildMessageConfirmationMail,
  buildMessageMail,
  type SupportSettings,
} from "../../app/support/send-message.server.tsx";
import { supportAnswers, supportMessages } from "../../app/support/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";

type MailFacts = Partial<typeof mails.$inferInsert>;
type DatedMail = { at: Date; mail: NewMail; facts?: MailFacts };

/** Newer than 30 days, when emails are deleted. */
const maxAge = 29 * day;

/**
 * Loads the emails that the demo's reviews, refunds and messages would have caused, built by the same functions,
 * in every state. None is queued for delivery. Unsent ones are older than a week, because the overview reports
 * newer ones as a problem.
 *
 * @returns their events for the history
 */
export async function loadDemoMails(
  tx: Database,
  config: CompletionSender & SupportSettings,
  ids: DemoIds,
  moment: Date,
): Promise<AuditEvent[]> {
  const datedMails = [
    ...(await listReviewMails(tx, config, ids)),
    ...(await listRefundMails(tx, config, ids)),
    ...(await listMessageMails(tx, config)),
  ];
  const oldest = moment.getTime() - maxAge;
  for (const { at, mail, facts = sent(at) } of datedMails)
    if (at.getTime() > oldest) await createMail(tx, mail, { createdAt: at, ...facts });
  return loadCancelledMail(tx, config, ids, moment);
}

function sent(at: Date): MailFacts {
  return { sentAt: new Date(at.getTime() + 2 * second) };
}

/** The state after eleven attempts; delivery stops after the twelfth. */
const failing: MailFacts = {
  attempts: 11,
  lastError: "Can't send mail - all recipients were rejected: 451 4.7.1 (address): Try again later",
};

const waiting: MailFacts = { attempts: 0 };

/** Lists emails about the main customers' reviews. Those about Sonia's assignment were not delivered. */
async function listReviewMails(
  tx: Database,
  sender: CompletionSender,
  ids: DemoIds,
): Promise<DatedMail[]> {
  const sonia = ids.get("sonia")!;
  const rows = await tx
    .select({ review: serviceReviews, assignment: reviewAssignments, to: users.email })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .leftJoin(reviewAssignments, eq(reviewAssignments.reviewId, serviceReviews.id))
    .where(inArray(serviceReviews.userId, [ids.get("asha")!, sonia]))
    .orderBy(asc(serviceReviews.createdAt));
  const dated: DatedMail[] = [];
  for (const { review, assignment, to } of rows) {
    const bought = await listPurchaseMails(tx, sender, review.id);
    dated.push(...bought.map((mail) => ({ at: review.createdAt, mail })));
    if (!assignment) continue;
    const { assignedAt, completedAt, reviewerId } = assignment;
    const reviewer = await addressOf(tx, reviewerId);
    const [toReviewer, toBuyer] = review.userId === sonia ? [waiting, failing] : [];
    const assigned = buildAssignedReviewsMail(sender, reviewer, [review]);
    dated.push({ at: assignedAt, mail: assigned, facts: toReviewer });
    const taken = buildAssignmentMail(sender, to, review, assignedAt);
    dated.push({ at: assignedAt, mail: taken, facts: toBuyer });
    if (!completedAt) continue;
    const counts = await countAnnotations(tx, review.id);
    const completed = buildCompletionMail(sender, to, { ...review, ...counts }, completedAt);
    dated.push({ at: completedAt, mail: completed });
  }
  return dated;
}

async function listRefundMails(tx: Database, sender: Sender, ids: DemoIds): Promise<DatedMail[]> {
  const rows = await tx
    .select({ refund: refunds, buyerId: orders.buyerId, to: users.email })
    .from(refunds)
    .innerJoin(orders, eq(orders.orderId, refunds.orderId))
    .innerJoin(users, eq(users.id, orders.buyerId))
    .orderBy(asc(refunds.createdAt));
  const gita = { id: ids.get("gita")!, email: await addressOf(tx, ids.get("gita")!) };
  return rows.flatMap(({ refund, buyerId, to }) => {
    const { orderId, id, state, grounds, reason, answer, createdAt, decidedAt, endedAt } = refund;
    const order = { orderId, buyerId };
    const dated: DatedMail[] = [];
    if (grounds === "delivered" && reason) {
      const until = new Date(createdAt.getTime() + decidedWithin);
      const mail = buildRefundRequestMail(sender, gita, order, { ...refund, reason, until });
      dated.push({ at: createdAt, mail });
    }
    if (state === "declined" && answer && decidedAt) {
      const mail = buildBuyerMail(sender, to, buildDeclineText(order, { id, answer }));
      dated.push({ at: decidedAt, mail });
    }
    if (state === "settled" && endedAt)
      dated.push({
        at: endedAt,
        mail: buildBuyerMail(sender, to, buildSettlementText(order, refund)),
      });
    return dated;
  });
}

/** Email to this address, which has a typo, was rejected. */
const mistyped = "imran.shiekh@example.com";

async function listMessageMails(tx: Database, config: SupportSettings): Promise<DatedMail[]> {
  const messages = await tx
    .select()
    .from(supportMessages)
    .where(not(supportMessages.isSuspected))
    .orderBy(asc(supportMessages.createdAt));
  const answers = await tx.select().from(supportAnswers);
  return messages.flatMap((message) => {
    const { createdAt: at, senderId } = message;
    const isMistyped = message.email === mistyped;
    return [
      { at, mail: buildMessageMail(config.product, message) },
      {
        at,
        mail: buildMessageConfirmationMail(config, message, senderId !== null),
        facts: isMistyped ? refused(at) : undefined,
      },
      ...answers
        .filter(({ messageId, isFromWriter }) => messageId === message.id && !isFromWriter)
        .map((answer) => ({
          at: answer.at,
          mail: buildMessageAnswerMail(config, message, {
            ...answer,
            isOwnAddress: senderId !== null,
          }),
          facts: isMistyped ? refused(answer.at) : undefined,
        })),
    ];
  });
}

/** The state that delivery records for a permanent refusal. */
function refused(at: Date): MailFacts {
  return {
    attempts: 1,
    lastError: "Can't send mail - all recipients were rejected: 550 5.1.1 (address): User unknown",
    givenUpAt: new Date(at.getTime() + 3 * second),
  };
}

/** Loads a password reset email that an admin cancelled after its link expired. Its text was deleted. */
async function loadCancelledMail(
  tx: Database,
  { product }: Sender,
  ids: DemoIds,
  moment: Date,
): Promise<AuditEvent[]> {
  const createdAt = new Date(moment.getTime() - 11.4 * day);
  const droppedAt = new Date(createdAt.getTime() + 9 * hour);
  const [mail] = await tx
    .insert(mails)
    .values({
      ...failing,
      cause: `recovery:${randomUUID()}`,
      recipient: await addressOf(tx, ids.get("customer4")!),
      subject: `Create a new password for ${product.name}`,
      html: "",
      text: "",
      createdAt,
      droppedAt,
      givenUpAt: droppedAt,
    })
    .returning({ id: mails.id });
  const actor = { id: ids.get("gita")!, fullName: "Gita Menon" };
  return [{ actor, at: droppedAt, event: "mail.drop", subject: { type: "mail", id: mail!.id } }];
}

async function addressOf(tx: Database, userId: string): Promise<string> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return user!.email;
}
