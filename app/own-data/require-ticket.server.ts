import { and, eq, or } from "drizzle-orm";
import type { Database } from "../platform/database.server.ts";
import { Invalid } from "../platform/errors.ts";
import { supportMessages } from "../support/tables.server.ts";

/**
 * Requires a message of a person, in which they asked staff to do something with their data. It counts by its sender or by
 * its address, which a visitor can type: staff make sure who wrote it.
 *
 * @param ticket its number, in any case
 * @returns the number as it is stored
 * @throws {Invalid} if no message of the person has this number
 */
export async function requireTicketOf(
  tx: Database,
  { id, email }: { id: string; email: string },
  ticket: string,
): Promise<string> {
  const number = ticket.toUpperCase();
  const isTheirs = or(eq(supportMessages.senderId, id), eq(supportMessages.email, email));
  const messages = await tx.$count(
    supportMessages,
    and(eq(supportMessages.ticket, number), isTheirs),
  );
  if (messages === 0)
    throw new Invalid({ ticket: "No message from this person has this ticket number." });
  return number;
}
