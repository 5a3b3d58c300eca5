import { eq } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { type NewMail, queueMail } from "../../mail/deliver-mail.server.ts";
import { now, formatShortDate } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { reopened, type SupportSettings } from "../send-message.server.tsx";
import { MessageAnswerMail } from "../emails.tsx";
import { supportAnswers, supportMessages } from "../tables.server.ts";
import { buildTicketLink } from "../ticket-links.server.ts";
import {
  type Answer,
  hasOwnAddress,
  listAnswers,
  lockMessage,
  type Message,
  recordStateChange,
} from "./read-message.server.ts";

type Reply = {
  ticket: string;
  answer: string;
  /** The number of replies and follow-ups that the author could see. */
  seen: number;
  /** True if the reply settles the message. */
  closes?: boolean;
};

/**
 * Replies to a message by email, with its ticket number in the subject, and saves the reply. The actor takes care of
 * a message that nobody has taken. Replying to spam makes it a normal message.
 *
 * @throws {Conflict} when another person has replied, or its writer has followed up, meanwhile.
 * @throws {NotFound} when there is no such ticket.
 */
export async function answerMessage(
  db: Database,
  actor: Actor | null,
  { ticket, answer, seen, closes = false }: Reply,
  config: SupportSettings,
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    const answers = await listAnswers(tx, message.id);
    if (answers.length !== seen) throw new Conflict(describeNewest(answers));
    const at = now();
    const [saved] = await tx
      .insert(supportAnswers)
      .values({ messageId: message.id, at, authorName: getName(actor), answer })
      .returning({ id: supportAnswers.id });
    const state = closes ? "closed" : "answered";
    await tx
      .update(supportMessages)
      .set({
        state,
        isSuspected: false,
        ownerId: message.ownerId ?? actor.id,
        acknowledgedAt: message.acknowledgedAt ?? at,
        ...(closes ? { settledAt: at } : message.state === "closed" && reopened),
      })
      .where(eq(supportMessages.id, message.id));
    await recordStateChange(tx, actor, "message.answer", message, state);
    const isOwnAddress = await hasOwnAddress(tx, message);
    await queueMail(
      tx,
      buildMessageAnswerMail(config, message, { id: saved!.id, answer, isOwnAddress }),
    );
  });
}

function describeNewest(answers: Answer[]): string {
  return answers.at(-1)?.isFromWriter
    ? "They just wrote again. Read their message above, then send your reply."
    : "Someone else just replied. Read their reply above, then send yours.";
}

const getName = ({ fullName }: Actor) => fullName ?? "Unnamed User";

/**
 * Builds the email with a reply to the writer of a message. Its subject has their own words only if the address is
 * theirs. A complaint is quoted: its author has read it, so nobody can have us send spam to another address.
 */
export function buildMessageAnswerMail(
  config: SupportSettings,
  message: Omit<Message, "searchText" | "nextDueAt">,
  { id, answer, isOwnAddress }: { id: string; answer: string; isOwnAddress: boolean },
): NewMail {
  const { product } = config;
  const { ticket, email, subject, kind, createdAt } = message;
  return {
    cause: `contact-answer:${id}`,
    to: email,
    replyTo: product.supportEmail,
    subject: `Re: [${ticket}] ${isOwnAddress ? subject : `Your message to ${product.name}`}`,
    body: (
      <MessageAnswerMail
        product={product}
        ticket={ticket}
        writtenOn={formatShortDate(createdAt)}
        answer={answer}
        complaint={kind === "complaint" ? message : null}
        link={buildTicketLink(config, ticket, "mailed")}
      />
    ),
  };
}

/**
 * Saves an internal note for a message.
 *
 * @param seen the note that the author could see
 * @throws {Conflict} when another person has changed it meanwhile.
 * @throws {NotFound} when there is no such ticket.
 */
export async function saveMessageNote(
  db: Database,
  actor: Actor | null,
  { ticket, note, seen }: { ticket: string; note: string; seen: string },
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    const message = await lockMessage(tx, ticket);
    if (message.note === note) return;
    if (message.note !== seen)
      throw new Conflict(
        message.note
          ? `Someone else changed the note to: ${message.note}`
          : "Someone else deleted the note.",
      );
    await tx.update(supportMessages).set({ note }).where(eq(supportMessages.id, message.id));
  });
}
