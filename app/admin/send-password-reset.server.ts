import { eq } from "drizzle-orm";
import type { Actor } from "../accounts/actor.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { mailByAddress } from "../accounts/limits.server.ts";
import { requestPasswordReset } from "../accounts/password-reset/reset-password.server.tsx";
import { users } from "../accounts/tables.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { hour } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { NotFound } from "../platform/errors.ts";
import { countTry, type RateLimit } from "../platform/rate-limit.server.ts";
import { isUuid } from "../platform/uuid.ts";

/** An admin who needs more has a reason to ask the operator. */
const resetsByAdmin: RateLimit = { name: "reset-admin", max: 60, windowMs: hour };

/**
 * Mails a person the link for a new password, as if they had asked for it themselves; who never
 * confirmed their address gets the link for that.
 *
 * @throws {NotFound} for a person who does not exist.
 * @throws {TooMany} when the address, or this admin, had too many such mails sent.
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
