import { render } from "@react-email/render";
import type { ReactElement } from "react";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { enqueue } from "../platform/tasks.server.ts";
import { mails } from "./tables.server.ts";

export type MailToQueue = {
  /** Names what made the mail necessary; one cause makes one mail, however often it is told. */
  cause: string;
  to: string;
  /** The address that an answer goes to; without it, the sender's of all our mails. */
  replyTo?: string;
  subject: string;
  body: ReactElement;
};

/** The name under which `deliverMail` works; here, so that queueing needs no transport. */
export const deliverMailTask = { name: "deliver-mail" };

/** Writes a mail in the transaction that causes it. It goes out when the transaction commits. */
export async function queueMail(tx: Database, mail: MailToQueue): Promise<void> {
  const { cause, to, replyTo, subject, body } = mail;
  const [html, text] = await Promise.all([render(body), render(body, { plainText: true })]);
  const [queued] = await tx
    .insert(mails)
    .values({ cause, recipient: to, replyTo, subject, html, text, createdAt: now() })
    .onConflictDoNothing({ target: mails.cause })
    .returning({ id: mails.id });
  if (queued) await enqueue(tx, deliverMailTask, { mailId: queued.id });
}
