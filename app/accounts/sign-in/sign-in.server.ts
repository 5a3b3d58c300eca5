import { and, eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { Denied } from "../../platform/errors.ts";
import { passwordMatches } from "../passwords.server.ts";
import { roleFlags, type RoleFlags } from "../roles.ts";
import { wrongCredentials } from "../rules.ts";
import { type Browser, heldRoles, openSession, type Session } from "../session.server.ts";
import { accounts, users } from "../tables.server.ts";

/**
 * Checks a password and opens a session. That an address is unconfirmed or banned is told only to who
 * knows the password; that nobody has it, in the same words and time as a wrong one.
 *
 * @param email in lower case
 * @throws {Denied} with the message to show.
 */
export async function signIn(
  db: Database,
  { email, password }: { email: string; password: string },
  browser: Browser = {},
): Promise<{ session: Session; roles: RoleFlags }> {
  const [user] = await db
    .select({ id: users.id, passwordHash: accounts.password, roles: heldRoles })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.email, email));
  const isRight = await passwordMatches(user?.passwordHash ?? null, password);
  if (!user?.passwordHash || !isRight) throw new Denied(wrongCredentials);

  const { id, passwordHash, roles } = user;
  return db.transaction(async (tx) => {
    const session = await openSession(tx, id, browser);
    await refuseReplaced(tx, id, passwordHash);
    return { session, roles: roleFlags(roles) };
  });
}

/** A new password ends all sessions; one that was being opened with the old password, too. */
async function refuseReplaced(tx: Database, userId: string, passwordHash: string): Promise<void> {
  const [same] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.password, passwordHash)))
    .for("share");
  if (!same) throw new Denied(wrongCredentials);
}
