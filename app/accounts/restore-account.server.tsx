import { and, eq, gt } from "drizzle-orm";
import { queueMail, type Sender } from "../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { Conflict } from "../platform/errors.ts";
import { AccountRestoredMail } from "./emails.tsx";
import { profiles, sealedAccounts, users } from "./tables.server.ts";

/**
 * Restores a closed account that isn't due to be purged, and emails the person. Does nothing for any other.
 *
 * @returns true if it was restored
 * @throws {Conflict} if the address has another account by now
 */
export async function restoreAccount(
  tx: Database,
  { origin, product }: Sender,
  userId: string,
): Promise<boolean> {
  const isRestorable = and(eq(sealedAccounts.userId, userId), gt(sealedAccounts.purgeAt, now()));
  const [sealed] = await tx.delete(sealedAccounts).where(isRestorable).returning();
  if (!sealed) return false;
  const { email, name, fullName, phone, portfolioUrl } = sealed;
  if ((await tx.$count(users, eq(users.email, email))) > 0)
    throw new Conflict("Your address has another account now. Please write to us.");
  const updatedAt = now();
  await tx
    .update(users)
    .set({ email, name, closedAt: null, updatedAt })
    .where(eq(users.id, userId));
  await tx.update(profiles).set({ fullName, phone, portfolioUrl }).where(eq(profiles.id, userId));
  await recordAuditEvents(tx, [
    {
      actor: { id: userId, fullName },
      event: "user.restore",
      subject: { type: "user", id: userId },
    },
  ]);
  await queueMail(tx, {
    cause: `account-restored:${userId}:${updatedAt.getTime()}`,
    to: email,
    subject: `Your ${product.name} account is open again`,
    body: <AccountRestoredMail product={product} origin={origin} />,
  });
  return true;
}
