import { and, eq } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { useLink } from "../one-time-links.server.ts";
import { type Browser, openSession, type Session } from "../session.server.ts";
import { accounts, profiles, users } from "../tables.server.ts";

/**
 * Uses up a confirmation link: the account becomes that of the sign-up which made the link, and its
 * owner is signed in.
 *
 * @returns the session and where they wanted to go, or null when the link is not valid.
 * @throws {Denied} for a person who is banned; then nothing has changed.
 */
export async function confirmAddress(
  db: Database,
  token: string,
  browser: Browser = {},
): Promise<{ session: Session; next: string | null } | null> {
  return db.transaction(async (tx) => {
    const link = await useLink(tx, "signup", token);
    if (!link) return null;
    const { userId, fullName, passwordHash, next } = link;
    const updatedAt = now();
    await tx
      .update(users)
      .set({ emailVerified: true, updatedAt, ...(fullName === null ? {} : { name: fullName }) })
      .where(eq(users.id, userId));
    if (fullName !== null)
      await tx.update(profiles).set({ fullName }).where(eq(profiles.id, userId));
    if (passwordHash !== null) {
      await tx
        .update(accounts)
        .set({ password: passwordHash, updatedAt })
        .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential")));
    }
    return { session: await openSession(tx, userId, browser), next };
  });
}
