import { and, eq, ne } from "drizzle-orm";
import { day, hour } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { closeAlerts, lockAlerts, parseStopToken } from "./alerts.server.ts";
import { alerts } from "./tables.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { stoppedAlertRetention } from "./rules.ts";

type Signing = Pick<Config, "secrets">;

/** The limit for the buttons. Mail programs stop alerts of many people from one address, and have none. */
export const stopByClient: RateLimit = { name: "alert-stop-client", max: 60, windowMs: hour };

export const invalidStopLink = `This link isn't complete, or the alert was stopped more than ${countNoun(stoppedAlertRetention / day, "day")} ago.`;

/**
 * Finds the alerts that a mailed link stops. It names no address, since links are forwarded.
 *
 * @returns null for a link that we didn't sign, and for an alert that we no longer have
 */
export async function findStopLink(db: Database, config: Signing, token: string) {
  const link = parseStopToken(config, token);
  const [alert] = link ? await selectAlert(db, link.id) : [];
  if (!link || !alert) return null;
  const openAlerts = await db.$count(alerts, isOpenAlertOf(alert.email));
  const isShown = !link.isForAll && alert.state !== "stopped";
  const { query, frequency } = alert;
  // No alert for a link that stops all alerts of an address, and once it is stopped.
  return { alert: isShown ? { query, frequency } : null, openAlerts };
}

/**
 * Stops the alerts of a mailed link. Stopping again changes nothing.
 *
 * @param all stops all alerts of the address, also with the link of one
 * @returns false for a link that we didn't sign
 */
export async function stopAlerts(
  db: Database,
  config: Signing,
  token: string,
  { all }: { all: boolean } = { all: false },
): Promise<boolean> {
  const link = parseStopToken(config, token);
  if (!link) return false;
  const [alert] = await selectAlert(db, link.id);
  if (!alert) return true;
  await db.transaction(async (tx) => {
    await lockAlerts(tx, [alert.email]);
    await closeAlerts(
      tx,
      all || link.isForAll ? isOpenAlertOf(alert.email) : eq(alerts.id, alert.id),
    );
  });
  return true;
}

/**
 * Stops the alerts of a mailed link from its page.
 *
 * @throws {NotFound} for an invalid link
 */
export async function stopAlertsFromPage(
  db: Database,
  config: Signing,
  token: string,
  options: { all: boolean },
): Promise<void> {
  if (!(await stopAlerts(db, config, token, options))) throw new NotFound(invalidStopLink);
}

function selectAlert(db: Database, id: string) {
  return db.select().from(alerts).where(eq(alerts.id, id));
}

function isOpenAlertOf(email: string) {
  return and(eq(alerts.email, email), ne(alerts.state, "stopped"));
}
