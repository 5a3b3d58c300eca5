import { and, eq } from "drizzle-orm";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { Invalid } from "../platform/errors.ts";
import { isBanned } from "./actor.server.ts";
import type { StaffRole } from "./roles.ts";
import { endSessionsOf } from "./session.server.ts";
import { oneTimeLinks, staffRoles, users } from "./tables.server.ts";

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
    if (!isBanned({ bannedUntil }, now())) return false;
    await tx.update(users).set({ bannedUntil: null, updatedAt: now() }).where(eq(users.id, id));
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [
      { actor: "operator", event: "user.unban", subject, before: { bannedUntil } },
    ]);
    return true;
  });
}

/** Everybody who holds a staff role, by address. */
export async function listRoles(db: Database) {
  return db
    .select({ email: users.email, name: users.name, role: staffRoles.role })
    .from(staffRoles)
    .innerJoin(users, eq(users.id, staffRoles.userId))
    .orderBy(users.email, staffRoles.role);
}

/**
 * Gives a role to a confirmed account, or takes it away. It counts from the person's next request.
 * Only the operator does this, from the command line.
 *
 * @returns false when nothing had to be changed.
 */
export async function changeRole(
  db: Database,
  email: string,
  role: StaffRole,
  change: "grant" | "revoke",
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { id } = await findConfirmedAccount(tx, email);
    const changed =
      change === "grant"
        ? await tx
            .insert(staffRoles)
            .values({ userId: id, role, createdAt: now() })
            .onConflictDoNothing()
            .returning()
        : await tx
            .delete(staffRoles)
            .where(and(eq(staffRoles.userId, id), eq(staffRoles.role, role)))
            .returning();
    if (changed.length === 0) return false;
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [
      { actor: "operator", event: `role.${change}`, subject, after: { role } },
    ]);
    return true;
  });
}

/**
 * The confirmed account of an address, for the operator's commands; its row is locked.
 *
 * @throws {Invalid} when there is no such account or it was never confirmed.
 */
export async function findConfirmedAccount(tx: Database, email: string) {
  const [user] = await tx
    .select()
    .from(users)
    .where(eq(users.email, email.trim().toLowerCase()))
    .for("update");
  if (!user) throw new Invalid({ email: `No account has the address ${email}.` });
  if (!user.emailVerified)
    throw new Invalid({ email: `The address ${email} is not confirmed yet.` });
  return user;
}
