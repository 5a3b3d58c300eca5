import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import * as queue from "../../mail/mail-queue.server.ts";
import type { MailState } from "../../mail/rules.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";

/** Lists mails of the last month, the newest first, in pages, and counts those of each state. */
export async function listQueuedMails(
  db: Database,
  actor: Actor | null,
  query: { state: MailState | null; after: string | null },
) {
  authorize(actor, "mail.manage");
  const [page, counts] = await Promise.all([queue.listMails(db, query), queue.countMails(db)]);
  return { ...page, counts };
}

const gone = "It has left, is just leaving, or was called off.";

/** Has one mail tried again for a day. @throws {Conflict} when it does not wait. */
export async function retryMail(db: Database, actor: Actor | null, mailId: string): Promise<void> {
  authorize(actor, "mail.manage");
  const retried = isUuid(mailId) ? await queue.retryMails(db, actor, mailId) : 0;
  if (retried === 0) throw new Conflict(gone);
}

/** Has all mails tried again that were given up. @returns how many. */
export async function retryGivenUpMails(db: Database, actor: Actor | null): Promise<number> {
  authorize(actor, "mail.manage");
  return queue.retryMails(db, actor, null);
}

/** Calls off a mail: it is never sent, and its text goes. @throws {Conflict} when it does not wait. */
export async function callOffMail(
  db: Database,
  actor: Actor | null,
  mailId: string,
): Promise<void> {
  authorize(actor, "mail.manage");
  const isDropped = isUuid(mailId) && (await queue.dropMail(db, actor, mailId));
  if (!isDropped) throw new Conflict(gone);
}
