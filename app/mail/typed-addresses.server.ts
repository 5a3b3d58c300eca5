import { and, eq, gt, like, or, sql } from "drizzle-orm";
import { hour, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { type NewMail, queueMail } from "./deliver-mail.server.ts";
import { mails } from "./tables.server.ts";

/**
 * Queues an email to an address that a visitor typed. Anyone can type any address, so a form sends it at most one email
 * an hour. The others are left out, and the form's answer must be the same.
 *
 * @param kinds the names of the form's emails, with which their causes begin
 */
export async function queueMailToTypedAddress(
  tx: Database,
  kinds: readonly string[],
  mail: NewMail,
): Promise<void> {
  // Locks the address until the transaction ends, so that concurrent forms send one email.
  const name = `${kinds[0]} to ${mail.to}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  const anHourAgo = new Date(now().getTime() - hour);
  const recent = and(
    eq(mails.recipient, mail.to),
    gt(mails.createdAt, anHourAgo),
    or(...kinds.map((kind) => like(mails.cause, `${kind}:%`))),
  );
  if ((await tx.$count(mails, recent)) === 0) await queueMail(tx, mail);
}
