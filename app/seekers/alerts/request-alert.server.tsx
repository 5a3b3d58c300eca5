import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { recordConsent } from "../../accounts/consents/consents.server.ts";
import { queueMailToTypedAddress } from "../../mail/typed-addresses.server.ts";
import { hour, now, toIsoDay } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { isSuspectedSpam } from "../../platform/spam-trap.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { line } from "../../platform/text/text-fields.server.ts";
import { describeAlert, describeWithoutSearch } from "./alert-query.server.ts";
import {
  type Alert,
  type AlertSettings,
  buildConfirmPath,
  buildStopPath,
  checkAlertQuery,
  ensureRoom,
  hashAlertAddress,
  isBannedAddress,
  listOpenAlerts,
  lockAlerts,
  parseConfirmToken,
  toConsenter,
} from "./alerts.server.ts";
import { AlertConfirmationMail, AlertKnownMail, AlertsFullMail } from "./emails.tsx";
import { alertFrequencies, confirmAlertWithin } from "./rules.ts";
import { alerts } from "./tables.server.ts";
import { countNoun } from "../../platform/count-noun.ts";

const invalidEmail = "Please enter a valid email address.";

/** The form for a new alert. Only visitors send an email address. The last two fields are the spam trap. */
export const alertForm = z.object({
  frequency: z.enum(alertFrequencies, "Choose how often"),
  email: line
    .transform(normalizeEmail)
    .pipe(z.email(invalidEmail).max(254, invalidEmail))
    .optional(),
  topic: z.string().default(""),
  renderedAt: z.string().default(""),
});

/** Limits for new alerts: many people share an IP address, and anyone can enter any address. */
export const alertByPerson: RateLimit = { name: "alert-person", max: 30, windowMs: hour };
export const alertByClient: RateLimit = { name: "alert-client", max: 10, windowMs: hour };
export const alertByAddress: RateLimit = { name: "alert-address", max: 5, windowMs: hour };

/**
 * Stores an alert that a visitor asks for, and emails a link to confirm it. For an address that already has this alert,
 * or ten alerts, the email says so, and nothing changes. Suspected spam and banned people are ignored. The response is
 * always the same, so that it says nothing about an address.
 *
 * @throws {Invalid} without an email address, or for filters that are too long
 */
export async function requestAlert(
  db: Database,
  config: AlertSettings,
  { query, form }: { query: string; form: z.output<typeof alertForm> },
): Promise<void> {
  const { email, frequency } = form;
  if (email === undefined) throw new Invalid({ email: invalidEmail });
  checkAlertQuery(query);
  if (isSuspectedSpam(form, now())) return;
  await db.transaction(async (tx) => {
    await lockAlerts(tx, [email]);
    if (await isBannedAddress(tx, email)) return;
    const open = await listOpenAlerts(tx, email);
    const same = open.find((alert) => alert.query === query);
    if (same?.state === "active") return queueKnownMail(tx, config, same);
    const renewed = { frequency, createdAt: now() };
    if (same) {
      await tx.update(alerts).set(renewed).where(eq(alerts.id, same.id));
      return queueConfirmation(tx, config, { ...same, ...renewed });
    }
    if (!(await ensureRoom(tx, open))) return queueFullMail(tx, config, open[0]!);
    const alert = { id: randomUUID(), email, query, ...renewed };
    const sentUntil = renewed.createdAt;
    await tx.insert(alerts).values({ ...alert, state: "pending", sentUntil });
    return queueConfirmation(tx, config, alert);
  });
}

type Asked = Pick<Alert, "id" | "email" | "query" | "frequency">;

/** The emails of this form. An address gets at most one of them an hour. */
const mailKinds = ["alert-confirmation", "alert-known", "alert-full"] as const;

async function queueConfirmation(
  tx: Database,
  config: AlertSettings,
  { id, email, query, frequency, createdAt }: Asked & { createdAt: Date },
): Promise<void> {
  await queueMailToTypedAddress(tx, mailKinds, {
    cause: `alert-confirmation:${id}:${Math.floor(createdAt.getTime() / hour)}`,
    to: email,
    subject: "Confirm your job alert",
    body: (
      <AlertConfirmationMail
        product={config.product}
        alert={{ name: describeWithoutSearch(query), frequency }}
        link={config.origin + buildConfirmPath(config, id)}
      />
    ),
  });
}

/** Sends at most one email per day about an alert that is active already. */
async function queueKnownMail(
  tx: Database,
  config: AlertSettings,
  { id, email, query, frequency }: Asked,
): Promise<void> {
  await queueMailToTypedAddress(tx, mailKinds, {
    cause: `alert-known:${id}:${toIsoDay(now())}`,
    to: email,
    subject: "You already have this job alert",
    body: (
      <AlertKnownMail
        product={config.product}
        alert={{ name: describeAlert(query), frequency }}
        link={config.origin + buildStopPath(config, id, "stop")}
      />
    ),
  });
}

/** Sends at most one email per day to an address that has ten alerts. */
async function queueFullMail(tx: Database, config: AlertSettings, { id, email }: Asked) {
  await queueMailToTypedAddress(tx, mailKinds, {
    cause: `alert-full:${hashAlertAddress(config, email)}:${toIsoDay(now())}`,
    to: email,
    subject: "You have ten job alerts",
    body: (
      <AlertsFullMail
        product={config.product}
        link={config.origin + buildStopPath(config, id, "stop-all")}
      />
    ),
  });
}

/** The limit for confirmations: many people share an IP address. */
export const confirmAlertByClient: RateLimit = {
  name: "alert-confirm-client",
  max: 40,
  windowMs: hour,
};

export const invalidAlertLink = `This link isn't complete, or it's more than ${countNoun(confirmAlertWithin / hour, "hour")} old.`;
export const stoppedAlert = "You stopped this alert. To get it again, ask for it on the board.";

/**
 * Finds the alert that a mailed link confirms.
 *
 * @returns null for a link that we didn't sign, an expired one, and for an alert that we no longer have
 */
export async function findMailedAlert(
  db: Database,
  config: Pick<Config, "secrets">,
  token: string,
): Promise<Pick<Alert, "query" | "frequency" | "state"> | null> {
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
  const row = await selectByToken(db, config, token);
  if (!row) throw new NotFound(invalidAlertLink);
  await db.transaction(async (tx) => {
    await lockAlerts(tx, [row.email]);
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

function isTooLate({ state, createdAt }: Pick<Alert, "state" | "createdAt">) {
  return state === "pending" && createdAt.getTime() < now().getTime() - confirmAlertWithin;
}
