import { APIError } from "better-auth/api";
import { eq } from "drizzle-orm";
import { now, shortDate } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { Denied } from "../platform/errors.ts";
import type { Auth } from "./auth.server.ts";
import { roleFlags, type RoleFlags } from "./roles.ts";
import { emailNotConfirmed, wrongCredentials } from "./rules.ts";
import { sessions, staffRoles, users } from "./tables.server.ts";

/**
 * Checks a password and opens a new session. That an address is unconfirmed or banned is told only
 * to who knows the password.
 *
 * @returns the `Set-Cookie` headers of the session, and the person's roles.
 * @throws {Denied} with the message to show.
 */
export async function signIn(
  db: Database,
  auth: Auth,
  { email, password }: { email: string; password: string },
  headers: Headers,
): Promise<{ cookies: string[]; roles: RoleFlags }> {
  const { headers: set, response } = await auth.api
    .signInEmail({ body: { email, password }, headers, returnHeaders: true })
    .catch((error: unknown) => {
      throw error instanceof APIError ? refusal(error) : error;
    });
  await refuseBanned(db, response.user.id, response.token);
  const held = await db
    .select({ role: staffRoles.role })
    .from(staffRoles)
    .where(eq(staffRoles.userId, response.user.id));
  return { cookies: set.getSetCookie(), roles: roleFlags(held.map(({ role }) => role)) };
}

function refusal({ body }: APIError): Denied {
  return new Denied(body?.code === "EMAIL_NOT_VERIFIED" ? emailNotConfirmed : wrongCredentials);
}

async function refuseBanned(db: Database, userId: string, token: string): Promise<void> {
  const [user] = await db
    .select({ until: users.bannedUntil })
    .from(users)
    .where(eq(users.id, userId));
  if (!user?.until || user.until <= now()) return;
  await db.delete(sessions).where(eq(sessions.token, token));
  throw new Denied(
    `This account is suspended until ${shortDate(user.until)}. Please contact support.`,
  );
}
