import { and, eq } from "drizzle-orm";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { hour, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { parseConfirmToken } from "./alert-links.server.ts";
import { lockAlerts, toConsenter } from "./close-alerts.server.ts";
import { type AlertFrequency, type AlertState, confirmAlertWithin } from "./rules.ts";
import { alerts } from "./tables.server.ts";

/** The limit for confirmations: many people share an IP address. */
export const confirmAlertByClient: RateLimit = {
  name: "alert-confirm-client",
  max: 40,
  windowMs: hour,
};

export const invalidAlertLink = "This link isn't complete, or it's more than 48 hours old.";
export const stoppedAlert = "You stopped this alert. To get it again, ask for it on the board.";

/** An alert that a mailed link leads to. */
export type MailedAlert = { query: string; frequency: AlertFrequency; state: AlertState };

/**
 * Finds the alert that a mailed link confirms.
 *
 * @returns null for a link that we didn't sign, an expired one, and for an alert that we no longer have
 */
export async function findMailedAlert(
  db: Database,
  config: Pick<Config, "secrets">,
  token: string,
): Promise<MailedAlert | null> {
  const alert = await selectByToken(db, config, token);
  if (!alert || isTooLate(alert)) return null;
  return { query: alert.query, frequency: alert.frequency, state: alert.state };
}

/**
 * Confirms a visitor's alert and records their consent. It starts with the jobs that are published from now on.
 * Confirming again changes nothing.
 *
 * @throws {NotFound} for an invalid or expired link
 * @throws {Conflict} if the alert was stopped
 */
export async function confirmAlert(
  db: Database,
  config: Pick<Config, "secrets">,
  token: string,
): Promise<void> {
  const asked = await selectByToken(db, config, token);
  if (!asked) throw new NotFound(invalidAlertLink);
  await db.transaction(async (tx) => {
    await lockAlerts(tx, [asked.email]);
    const alert = await selectByToken(tx, config, token);
    if (!alert || isTooLate(alert)) throw new NotFound(invalidAlertLink);
    if (alert.state === "active") return;
    if (alert.state === "stopped") throw new Conflict(stoppedAlert);
    await recordConsent(tx, toConsenter(alert), { purpose: "alerts", how: "alert" });
    const moment = now();
    await tx
      .update(alerts)
      .set({ state: "active", confirmedAt: moment, sentUntil: moment })
      .where(and(eq(alerts.id, alert.id), eq(alerts.state, "pending")));
  });
}

async function selectByToken(db: Database, config: Pick<Config, "secrets">, token: string) {
  const id = parseConfirmToken(config, token);
  if (id === null) return undefined;
  const [alert] = await db.select().from(alerts).where(eq(alerts.id, id));
  return alert;
}

function isTooLate({ state, createdAt }: Pick<typeof alerts.$inferSelect, "state" | "createdAt">) {
  return state === "pending" && createdAt.getTime() < now().getTime() - confirmAlertWithin;
}
