import { and, eq, isNull, sql } from "drizzle-orm";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import type { Task } from "../platform/tasks.server.ts";
import { deliverMailTask } from "./queue-mail.server.ts";
import { mails } from "./tables.server.ts";
import type { MailTransport } from "./transport.server.ts";

/** The task that sends a queued mail, tried again for about a day when the server refuses. */
export function deliverMail(transport: MailTransport, host: string): Task<{ mailId: string }> {
  return {
    ...deliverMailTask,
    retries: 12,
    retryDelay: 10,
    run: ({ mailId }, { db }) => deliver(db, transport, host, mailId),
  };
}

/**
 * Sends one mail unless it was sent. The row is locked meanwhile, so two workers never both send.
 * Only a crash between the server's acceptance and our record can repeat it, with the same Message-ID.
 */
async function deliver(
  db: Database,
  transport: MailTransport,
  host: string,
  mailId: string,
): Promise<void> {
  const failure = await db.transaction(async (tx) => {
    const [mail] = await tx
      .select()
      .from(mails)
      .where(and(eq(mails.id, mailId), isNull(mails.sentAt)))
      .for("update");
    if (!mail) return null;
    try {
      const { recipient: to, replyTo, subject, html, text } = mail;
      await transport.send({ messageId: `${mail.id}@${host}`, to, replyTo, subject, html, text });
      await tx
        .update(mails)
        .set({ sentAt: now(), lastError: null, ...kept(transport) })
        .where(eq(mails.id, mailId));
      return null;
    } catch (error) {
      const lastError = String(error).slice(0, 500);
      await tx
        .update(mails)
        .set({ attempts: sql`${mails.attempts} + 1`, lastError })
        .where(eq(mails.id, mailId));
      return error;
    }
  });
  if (failure) throw failure;
}

/** A mail that left keeps no text here: it may hold a link that opens an account. */
function kept(transport: MailTransport): { html?: string; text?: string } {
  return transport.captures ? {} : { html: "", text: "" };
}
