import { desc, eq } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
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
