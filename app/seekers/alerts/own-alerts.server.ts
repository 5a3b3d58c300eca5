import { and, asc, eq, ne, or } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { recordConsent, withdrawConsent } from "../../accounts/consents/consents.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import {
  type Alert,
  checkAlertQuery,
  closeAlerts,
  ensureRoom,
  listOpenAlerts,
  lockAlerts,
} from "./alerts.server.ts";
import { type AlertFrequency, maxAlertsPerAddress } from "./rules.ts";
import { alerts } from "./tables.server.ts";

const unknownAlert = "This alert was stopped or doesn't exist.";

/**
 * Creates an active alert for the actor's address. An alert with the same filters only gets the new frequency.
 *
 * @throws {Invalid} for filters that are too long
 * @throws {Conflict} if the actor has ten alerts
 */
export async function createOwnAlert(
  db: Database,
  actor: Actor | null,
  { query, frequency }: { query: string; frequency: AlertFrequency },
): Promise<void> {
  authorize(actor, "alert.keep");
  checkAlertQuery(query);
  const email = normalizeEmail(actor.email);
  await db.transaction(async (tx) => {
    await lockAlerts(tx, [email]);
    const open = await listOpenAlerts(tx, email);
    const same = open.find((alert) => alert.query === query);
    if (same?.state === "active") {
      await tx.update(alerts).set({ frequency }).where(eq(alerts.id, same.id));
      return;
    }
    if (!same && !(await ensureRoom(tx, open)))
      throw new Conflict(
        `You have ${maxAlertsPerAddress} alerts. Stop one on your profile to add another.`,
      );
    await recordConsent(tx, { userId: actor.id }, { purpose: "alerts", how: "alert" });
    const moment = now();
    const active = {
      userId: actor.id,
      frequency,
      state: "active",
      confirmedAt: moment,
      sentUntil: moment,
    } as const;
    if (same) await tx.update(alerts).set(active).where(eq(alerts.id, same.id));
    else await tx.insert(alerts).values({ ...active, email, query, createdAt: moment });
  });
}

type AlertOwner = Pick<Actor, "id" | "email">;

/** Selects the actor's alerts that aren't stopped: those of their account, and those of its confirmed address. */
function isOwnAlert(actor: AlertOwner) {
  const isOwn = or(eq(alerts.userId, actor.id), eq(alerts.email, normalizeEmail(actor.email)));
  return and(isOwn, ne(alerts.state, "stopped"));
}

/** Lists the actor's alerts, the newest first. */
export async function listOwnAlerts(
  db: Database,
  actor: Actor,
): Promise<Pick<Alert, "id" | "query" | "frequency" | "state" | "createdAt">[]> {
  const rows = await db
    .select({
      id: alerts.id,
      query: alerts.query,
      frequency: alerts.frequency,
      state: alerts.state,
      createdAt: alerts.createdAt,
    })
    .from(alerts)
    .where(isOwnAlert(actor))
    .orderBy(asc(alerts.createdAt), asc(alerts.id));
  return rows.toReversed();
}

/**
 * Changes how often the actor gets an alert. Its next email continues where the last one ended.
 *
 * @throws {NotFound} for an alert that isn't theirs or was stopped
 */
export async function changeAlertFrequency(
  db: Database,
  actor: Actor | null,
  { id, frequency }: { id: string; frequency: AlertFrequency },
): Promise<void> {
  authorize(actor, "alert.keep");
  await db.transaction(async (tx) => {
    const isThis = await lockOwnAlert(tx, actor, id);
    const { rowCount } = await tx.update(alerts).set({ frequency }).where(isThis);
    if (rowCount === 0) throw new NotFound(unknownAlert);
  });
}

/**
 * Stops one of the actor's alerts. A stopped one stays stopped.
 *
 * @throws {NotFound} for an alert that isn't theirs or was stopped
 */
export async function stopOwnAlert(db: Database, actor: Actor | null, id: string): Promise<void> {
  authorize(actor, "alert.keep");
  await db.transaction(async (tx) => {
    const isThis = await lockOwnAlert(tx, actor, id);
    if ((await closeAlerts(tx, isThis)) === 0) throw new NotFound(unknownAlert);
  });
}

/** Stops all of the actor's alerts and withdraws their consent, in one transaction. */
export async function stopAllOwnAlerts(db: Database, actor: Actor | null): Promise<void> {
  authorize(actor, "alert.keep");
  await db.transaction((tx) => stopAlertsOf(tx, actor));
}

/** The same for an account that is being closed. The caller checks permission. */
export async function stopAlertsOf(tx: Database, person: AlertOwner): Promise<void> {
  const own = await tx.select({ email: alerts.email }).from(alerts).where(isOwnAlert(person));
  await lockAlerts(tx, [normalizeEmail(person.email), ...own.map(({ email }) => email)]);
  await closeAlerts(tx, isOwnAlert(person));
  await withdrawConsent(tx, { userId: person.id }, "alerts");
}

/** Counts the actor's alerts that send emails. */
export function countOwnAlerts(db: Database, actor: Actor): Promise<number> {
  return db.$count(alerts, and(isOwnAlert(actor), eq(alerts.state, "active")));
}

/** Locks the address of an alert, and returns the condition for this alert. */
async function lockOwnAlert(tx: Database, actor: Actor, id: string) {
  const isThis = and(isOwnAlert(actor), eq(alerts.id, id));
  const [alert] = isUuid(id) ? await tx.select().from(alerts).where(isThis) : [];
  if (!alert) throw new NotFound(unknownAlert);
  await lockAlerts(tx, [alert.email]);
  return isThis;
}
