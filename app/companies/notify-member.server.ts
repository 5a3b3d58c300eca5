import { and, eq } from "drizzle-orm";
import { isNotBanned } from "../accounts/actor.server.ts";
import { users } from "../accounts/tables.server.ts";
import { queueMail } from "../mail/deliver-mail.server.ts";
import type { Database } from "../platform/database.server.ts";

/**
 * Queues an email to the member who sent something for their company, unless they are banned.
 *
 * @param userId null once their account is closed
 * @param mail.cause the unique reason, so that it is sent once
 */
export async function notifyMember(
  tx: Database,
  userId: string | null,
  mail: { cause: string; subject: string; body: React.ReactElement },
): Promise<void> {
  if (userId === null) return;
  const [member] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotBanned()));
  if (member) await queueMail(tx, { ...mail, to: member.email });
}
