import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { eq } from "drizzle-orm";
import type { AppContext } from "../../platform/app-context.server.ts";
import { minute } from "../../platform/clock.ts";
import { Invalid } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import type { Actor } from "../actor.server.ts";
import { roleFlags, type RoleFlags } from "../roles.ts";
import { type Browser, heldRoles, openSession, type Session } from "../session.server.ts";
import { openKnownSession } from "../sign-in/known-device.server.tsx";
import { users } from "../tables.server.ts";
import { takePasskey } from "./passkeys.server.ts";

type Site = Pick<AppContext, "db" | "config">;

export const passkeyByClient: RateLimit = {
  name: "passkey-client",
  max: 60,
  windowMs: 15 * minute,
};

/**
 * Opens a session by a passkey alone, which stands for the password and the second factor.
 *
 * @param browserFor what is known of the browser, for the person's address
 * @throws {Invalid} where the passkey is none of ours.
 * @throws {Denied} for a person who is banned.
 */
export async function signInByPasskey(
  { db, config }: Site,
  response: AuthenticationResponseJSON,
  browserFor: (email: string) => Browser,
): Promise<{ session: Session; email: string; roles: RoleFlags }> {
  return db.transaction(async (tx) => {
    const { userId: id } = await takePasskey(tx, config, response);
    const { email, roles } = (
      await tx.select({ email: users.email, roles: heldRoles }).from(users).where(eq(users.id, id))
    )[0]!;
    const session = await openKnownSession(tx, config, { id, email }, browserFor(email));
    return { session, email, roles: roleFlags(roles) };
  });
}

/**
 * Opens a new session in place of an open one, for somebody who proves with a passkey once more that they
 * are who it belongs to.
 *
 * @throws {Invalid} where the passkey is none of theirs.
 */
export async function signInAgainByPasskey(
  { db, config }: Site,
  actor: Pick<Actor, "id">,
  response: AuthenticationResponseJSON,
  browser: Browser,
): Promise<Session> {
  return db.transaction(async (tx) => {
    const { userId } = await takePasskey(tx, config, response);
    if (userId !== actor.id) throw new Invalid({ "": "This passkey is somebody else's." });
    return openSession(tx, actor.id, browser);
  });
}
