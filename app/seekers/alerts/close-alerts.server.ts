import { and, eq, isNull, ne, not, notExists, or, type SQL, sql } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { type Consenter, withdrawConsent } from "../../accounts/consents/consents.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { alerts } from "./tables.server.ts";

/**
 * Locks the alerts of some addresses until the transaction ends: asking, confirming, stopping and sending wait for each
 * other. The addresses are locked in order, so that two processes never wait for each other.
 */
export async function lockAlerts(tx: Database, emails: readonly string[]): Promise<void> {
  const names = [...new Set(emails)].toSorted().map((email) => `alerts ${email}`);
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sql.param(names)}::text[]) as name`,
  );
}

/** Checks whether the account with this address is banned. */
export async function isBannedAddress(db: Database, email: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.email, email), not(isNotBanned()!)))) > 0;
}

/**
 * True in SQL for alerts of people who aren't banned. An alert belongs to a person by its account, or by its address,
 * since they can also ask for one while logged out.
 */
export function isOfNobodyBanned(db: Database): SQL {
  const isTheirs = or(eq(users.id, alerts.userId), eq(users.email, alerts.email));
  return notExists(
    db
      .select({ one: sql`1` })
      .from(users)
      .where(and(isTheirs, not(isNotBanned()!))),
  );
}

/**
 * Stops alerts, and withdraws the consent of each person whose last alert this was. The caller has locked their address.
 *
 * @returns the number of stopped alerts; those that were stopped before don't count
 */
export async function closeAlerts(tx: Database, condition: SQL | undefined): Promise<number> {
  const ended = await tx
    .update(alerts)
    .set({ state: "stopped", stoppedAt: now() })
    .where(and(condition, ne(alerts.state, "stopped")))
    .returning({ userId: alerts.userId, email: alerts.email });
  const consenters = new Map(ended.map((alert) => [alert.userId ?? alert.email, alert]));
  for (const alert of consenters.values()) {
    const isOwn = alert.userId
      ? eq(alerts.userId, alert.userId)
      : and(eq(alerts.email, alert.email), isNull(alerts.userId));
    const left = await tx.$count(alerts, and(isOwn, eq(alerts.state, "active")));
    if (left === 0) await withdrawConsent(tx, toConsenter(alert), "alerts");
  }
  return ended.length;
}

/** Returns the person who consents to an alert: the account that asked for it, or a visitor's address. */
export function toConsenter({
  userId,
  email,
}: Pick<typeof alerts.$inferSelect, "userId" | "email">): Consenter {
  return userId ? { userId } : { email };
}
