import { eq, sql } from "drizzle-orm";
import type { AppContext } from "../platform/app-context.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { Invalid } from "../platform/errors.ts";
import { makeLink } from "./one-time-links.server.ts";
import { hashPassword } from "./passwords.server.ts";
import type { StaffRole } from "./roles.ts";
import { accounts, oneTimeLinks, profiles, staffRoles, users } from "./tables.server.ts";

export type NewAccount = {
  /** In lower case. */
  email: string;
  fullName: string;
  /** Null: the person chooses one by a link. */
  password: string | null;
  roles: StaffRole[];
};

/**
 * Makes an account whose address counts as confirmed. Only the operator does this, from the command line;
 * a sign-up that nobody confirmed becomes this account, and its links lose their force.
 *
 * @throws {Invalid} when the address has a confirmed account already.
 */
export async function createConfirmedAccount(
  db: Database,
  { email, fullName, password, roles }: NewAccount,
): Promise<{ id: string }> {
  const passwordHash = password === null ? null : await hashPassword(password);
  return db.transaction(async (tx) => {
    const id = await upsertConfirmed(tx, email, fullName);
    await setPassword(tx, id, passwordHash);
    await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, id));
    const createdAt = now();
    if (roles.length > 0)
      await tx
        .insert(staffRoles)
        .values(roles.map((role) => ({ userId: id, role, createdAt })))
        .onConflictDoNothing();
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [
      { actor: "operator", event: "user.create", subject },
      ...roles.map((role) => ({
        actor: "operator" as const,
        event: "role.grant",
        subject,
        after: { role },
      })),
    ]);
    return { id };
  });
}

/** A link by which a person chooses a password, once. */
export function linkForPassword({ db, config }: AppContext, userId: string): Promise<string> {
  return makeLink(db, config.origin, "recovery", userId);
}

async function upsertConfirmed(tx: Database, email: string, fullName: string): Promise<string> {
  const createdAt = now();
  const [user] = await tx
    .insert(users)
    .values({ email, name: fullName, emailVerified: true, createdAt, updatedAt: createdAt })
    .onConflictDoUpdate({
      target: users.email,
      set: { name: fullName, emailVerified: true, updatedAt: createdAt },
      setWhere: sql`not ${users.emailVerified}`,
    })
    .returning({ id: users.id });
  if (!user) throw new Invalid({ email: `The address ${email} has an account already.` });
  await tx
    .insert(profiles)
    .values({ id: user.id, fullName, createdAt })
    .onConflictDoUpdate({ target: profiles.id, set: { fullName } });
  return user.id;
}

async function setPassword(tx: Database, userId: string, password: string | null): Promise<void> {
  const at = { createdAt: now(), updatedAt: now() };
  await tx
    .insert(accounts)
    .values({ userId, accountId: userId, providerId: "credential", password, ...at })
    .onConflictDoUpdate({
      target: [accounts.userId, accounts.providerId],
      set: { password, updatedAt: at.updatedAt },
    });
}
