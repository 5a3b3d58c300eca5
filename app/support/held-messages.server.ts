import { and, desc, eq, lt, or } from "drizzle-orm";
import { day, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { purge } from "../platform/purge.server.ts";
import { contactMessages } from "./tables.server.ts";

const shownAtOnce = 50;

export type HeldMessage = Pick<
  typeof contactMessages.$inferSelect,
  "ticket" | "name" | "email" | "subject" | "message" | "createdAt"
>;

/** What looked as if a program had sent it, and was mailed to nobody; the newest. Operator only. */
export function listHeldMessages(db: Database): Promise<HeldMessage[]> {
  return db
    .select({
      ticket: contactMessages.ticket,
      name: contactMessages.name,
      email: contactMessages.email,
      subject: contactMessages.subject,
      message: contactMessages.message,
      createdAt: contactMessages.createdAt,
    })
    .from(contactMessages)
    .where(eq(contactMessages.isSuspected, true))
    .orderBy(desc(contactMessages.createdAt))
    .limit(shownAtOnce);
}

const keptFor = 365 * day;
const heldFor = 30 * day;

/** Forgets messages to us after a year; those that were taken for spam, after a month. */
export async function forgetOldMessages(db: Database): Promise<void> {
  const before = (age: number) => lt(contactMessages.createdAt, new Date(now().getTime() - age));
  const isOver = or(before(keptFor), and(contactMessages.isSuspected, before(heldFor)));
  await purge(db, contactMessages, contactMessages.id, isOver);
}
