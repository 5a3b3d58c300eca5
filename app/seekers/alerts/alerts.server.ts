import { and, asc, eq, isNull, ne, not, notExists, or, type SQL, sql } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { type Consenter, withdrawConsent } from "../../accounts/consents/consents.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import {
  buildSignedId,
  listHashes,
  parseSignedId,
  uuidLength,
} from "../../platform/signed-ids.server.ts";
import { maxAlertQueryLength, maxAlertsPerAddress } from "./rules.ts";
import { alerts } from "./tables.server.ts";

export type Alert = typeof alerts.$inferSelect;

/** The settings that the emails about alerts need. */
export type AlertSettings = Pick<Config, "origin" | "product" | "secrets">;

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

/** Lists an address's alerts that aren't stopped, the oldest first. */
export function listOpenAlerts(tx: Database, email: string): Promise<Alert[]> {
  return tx
    .select()
    .from(alerts)
    .where(and(eq(alerts.email, email), ne(alerts.state, "stopped")))
    .orderBy(asc(alerts.createdAt), asc(alerts.id));
}

/**
 * Makes room for one more alert of an address. The oldest unconfirmed one is deleted if necessary, since anyone can ask
 * for alerts to any address.
 *
 * @returns false if all of its alerts are active
 */
export async function ensureRoom(tx: Database, open: readonly Alert[]): Promise<boolean> {
  if (open.length < maxAlertsPerAddress) return true;
  const oldest = open.find(({ state }) => state === "pending");
  if (!oldest) return false;
  await tx.delete(alerts).where(eq(alerts.id, oldest.id));
  return true;
}

/** @throws {Invalid} for filters that are too long */
export function checkAlertQuery(query: string): void {
  if (query.length > maxAlertQueryLength)
    throw new Invalid({
      "": "This search is too long for an alert. Shorten it or remove filters.",
    });
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
export function toConsenter({ userId, email }: Pick<Alert, "userId" | "email">): Consenter {
  return userId ? { userId } : { email };
}

/** The purposes of signatures. A link that stops all alerts of an address has the id of one of them. */
const purposes = {
  confirm: "alert-confirm",
  stop: "alert-stop",
  "stop-all": "alert-stop-all",
} as const;

/** Builds the path where a visitor confirms an alert. */
export function buildConfirmPath(config: Pick<Config, "secrets">, id: string): OwnPath {
  return `/alerts/confirm/${buildSignedId(config, purposes.confirm, id)}`;
}

/** Builds the path that stops an alert, or all alerts of its address. */
export function buildStopPath(
  config: Pick<Config, "secrets">,
  id: string,
  kind: "stop" | "stop-all",
): OwnPath {
  return `/alerts/stop/${buildSignedId(config, purposes[kind], id)}`;
}

/** Reads the alert's id of a link that confirms it; null if we didn't sign the link. */
export function parseConfirmToken(config: Pick<Config, "secrets">, token: string): string | null {
  return parseSignedId(config, purposes.confirm, token, uuidLength);
}

/** Reads a link that stops alerts; null if we didn't sign it. */
export function parseStopToken(
  config: Pick<Config, "secrets">,
  token: string,
): { id: string; isForAll: boolean } | null {
  const id = parseSignedId(config, purposes.stop, token, uuidLength);
  if (id !== null) return { id, isForAll: false };
  const anyId = parseSignedId(config, purposes["stop-all"], token, uuidLength);
  return anyId === null ? null : { id: anyId, isForAll: true };
}

/** Hashes an address with our secret, for the causes of its emails and for consents after it was deleted. */
export function hashAlertAddress(config: Pick<Config, "secrets">, email: string): string {
  return listAddressHashes(config, email)[0];
}

/** Lists the hashes of an address with each of our secrets, newest first, to find the causes of earlier emails. */
export function listAddressHashes(
  config: Pick<Config, "secrets">,
  email: string,
): [string, ...string[]] {
  return listHashes(config, "alerts", email) as [string, ...string[]];
}
