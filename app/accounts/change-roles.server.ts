import { and, eq } from "drizzle-orm";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { findConfirmedAccount } from "./find-account.server.ts";
import type { StaffRole } from "./roles.ts";
import { staffRoles, users } from "./tables.server.ts";

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
