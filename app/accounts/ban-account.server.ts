import { eq } from "drizzle-orm";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { findConfirmedAccount } from "./find-account.server.ts";
import { endSessionsOf } from "./session.server.ts";
import { oneTimeLinks, users } from "./tables.server.ts";

/** Keeps a person out until the moment given, from now on: sessions and mailed links end with it. */
export async function banAccount(db: Database, email: string, until: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, bannedUntil } = await findConfirmedAccount(tx, email);
    await tx.update(users).set({ bannedUntil: until, updatedAt: now() }).where(eq(users.id, id));
    // In the order of a reset, which uses up its link and then ends the sessions.
    await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, id));
    await endSessionsOf(tx, id);
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [
      {
        actor: "operator",
        event: "user.ban",
        subject,
        before: { bannedUntil },
        after: { bannedUntil: until },
      },
    ]);
  });
}

/** Lets a person in again. Returns false when they were not banned. */
export async function unbanAccount(db: Database, email: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { id, bannedUntil } = await findConfirmedAccount(tx, email);
    if (!bannedUntil || bannedUntil <= now()) return false;
    await tx.update(users).set({ bannedUntil: null, updatedAt: now() }).where(eq(users.id, id));
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [
      { actor: "operator", event: "user.unban", subject, before: { bannedUntil } },
    ]);
    return true;
  });
}
