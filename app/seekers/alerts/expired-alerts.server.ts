import { and, eq, isNull, lt } from "drizzle-orm";
import { findOpenConsent, hideConsenter } from "../../accounts/consents/consents.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, deleteRowsInSteps } from "../../platform/database.server.ts";
import { hashAlertAddress, lockAlerts } from "./alerts.server.ts";
import { confirmAlertWithin, stoppedAlertRetention } from "./rules.ts";
import { alerts } from "./tables.server.ts";

/** The addresses that one step reads. */
const batch = 100;

/**
 * Deletes alerts that were not confirmed in time, and those that were stopped 30 days ago. If a visitor has no other
 * alert, a hash replaces their address in the record of their consent.
 *
 * @returns the number of deleted alerts
 */
export async function deleteExpiredAlerts(
  db: Database,
  config: Pick<Config, "secrets">,
): Promise<number> {
  const before = (age: number) => new Date(now().getTime() - age);
  const isPending = and(
    eq(alerts.state, "pending"),
    lt(alerts.createdAt, before(confirmAlertWithin)),
  );
  const isStopped = and(
    eq(alerts.state, "stopped"),
    lt(alerts.stoppedAt, before(stoppedAlertRetention)),
  );
  let deleted = await deleteRowsInSteps(db, alerts, alerts.id, isPending);
  for (;;) {
    const rows = await db
      .selectDistinct({ email: alerts.email })
      .from(alerts)
      .where(isStopped)
      .limit(batch);
    for (const { email } of rows)
      deleted += await db.transaction(async (tx) => {
        await lockAlerts(tx, [email]);
        const { rowCount } = await tx.delete(alerts).where(and(eq(alerts.email, email), isStopped));
        await hideFormerAddress(tx, config, email);
        return rowCount ?? 0;
      });
    if (rows.length < batch) return deleted;
  }
}

async function hideFormerAddress(tx: Database, config: Pick<Config, "secrets">, email: string) {
  const others = await tx.$count(alerts, and(eq(alerts.email, email), isNull(alerts.userId)));
  if (others > 0 || (await findOpenConsent(tx, { email }, "alerts"))) return;
  await hideConsenter(tx, { email }, "alerts", hashAlertAddress(config, email));
}
