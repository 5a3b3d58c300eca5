import { randomUUID } from "node:crypto";
import { and, eq, not } from "drizzle-orm";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import type { Actor } from "../actor.server.ts";
import { PasswordChangedMail, ResetPasswordMail } from "../emails.tsx";
import {
  expireSignUpLink,
  mailByAddress,
  createOneTimeLink,
  consumeLink,
} from "../one-time-links.server.ts";
import { hashPassword } from "../passwords.server.ts";
import { authorize } from "../permissions.server.ts";
import { revokeUserSessions } from "../session.server.ts";
import { isOwnerOf, ownEmail } from "../sealed-accounts.server.ts";
import { accounts, users } from "../tables.server.ts";

/** Emails a link for a new password if the address has an account. The caller can't tell. */
export async function requestPasswordReset(
  db: Database,
  config: Config,
  email: string,
): Promise<void> {
  const [user] = await db.select({ id: users.id }).from(users).where(isOwnerOf(email));
  if (!user) return;
  await db.transaction(async (tx) => {
    const link = await createOneTimeLink(tx, config.origin, "recovery", user.id);
    await queueMail(tx, {
      cause: `recovery:${randomUUID()}`,
      to: email,
      subject: `Create a new password for ${config.product.name}`,
      body: <ResetPasswordMail product={config.product} link={link} />,
    });
  });
}

/**
 * Uses a recovery link to set a new password, and ends all sessions of the person. The link also confirms the
 * address, and a password that someone else chose at sign-up stops working.
 *
 * @returns false if the link is invalid; nothing changes.
 */
export async function resetPassword(
  db: Database,
  config: Config,
  token: string,
  password: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const link = await consumeLink(tx, "recovery", token);
    if (!link) return false;
    const { userId } = link;
    await tx
      .update(accounts)
      .set({ password: passwordHash, updatedAt: now() })
      .where(eq(accounts.userId, userId));
    await tx
      .update(users)
      .set({ emailVerified: true, updatedAt: now() })
      .where(and(eq(users.id, userId), not(users.emailVerified)));
    await expireSignUpLink(tx, userId);
    await revokeUserSessions(tx, userId);
    const [user] = await tx.select({ email: ownEmail }).from(users).where(eq(users.id, userId));
    if (user) {
      await queueMail(tx, {
        cause: `password-changed:${link.tokenHash}`,
        to: user.email,
        subject: `Your password for ${config.product.name} was changed`,
        body: <PasswordChangedMail product={config.product} origin={config.origin} />,
      });
    }
    return true;
  });
}

/** An admin who needs more can ask the operator. */
const resetsByAdmin: RateLimit = { name: "reset-admin", max: 60, windowMs: hour };

/**
 * Emails a person a link for a new password, as if they had asked for it themselves.
 *
 * @throws {NotFound} if the person doesn't exist.
 * @throws {TooMany} above the limit of the address or the admin.
 */
export async function sendPasswordReset(
  db: Database,
  actor: Actor | null,
  userId: string,
  config: Config,
): Promise<void> {
  authorize(actor, "user.reset-password");
  const [user] = isUuid(userId)
    ? await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
    : [];
  if (!user) throw new NotFound("User not found");
  await countTry({ db, config }, resetsByAdmin, actor.id);
  await countTry({ db, config }, mailByAddress, user.email);
  await db.transaction(async (tx) => {
    await requestPasswordReset(tx, config, user.email);
    await recordAuditEvents(tx, [
      { actor, event: "user.reset-password", subject: { type: "user", id: userId } },
    ]);
  });
}
