import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { queueMailToTypedAddress } from "../../mail/typed-addresses.server.ts";
import { hour, now, toIsoDay } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { isSuspectedSpam } from "../../platform/spam-trap.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { line } from "../../platform/text/text-fields.server.ts";
import { buildConfirmPath, buildStopPath, hashAlertAddress } from "./alert-links.server.ts";
import { describeAlert, describeWithoutSearch } from "./alert-query.server.ts";
import { AlertConfirmationMail, AlertKnownMail, AlertsFullMail } from "./emails.tsx";
import { isBannedAddress, lockAlerts } from "./close-alerts.server.ts";
import { listOpenAlerts, ensureRoom, queryTooLong } from "./own-alerts.server.ts";
import { type AlertFrequency, alertFrequencies, longestAlertQuery } from "./rules.ts";
import { alerts } from "./tables.server.ts";

/** The settings that the emails about alerts need. */
export type AlertSettings = Pick<Config, "origin" | "product" | "secrets">;

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
  if (query.length > longestAlertQuery) throw new Invalid({ "": queryTooLong });
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

type Asked = { id: string; email: string; query: string; frequency: AlertFrequency };

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
async function queueFullMail(
  tx: Database,
  config: AlertSettings,
  { id, email }: Asked,
): Promise<void> {
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
