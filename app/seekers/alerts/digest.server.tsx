import type { NewMail } from "../../mail/deliver-mail.server.ts";
import { toIsoDay } from "../../platform/clock.ts";
import { buildStopPath, listAddressHashes } from "./alert-links.server.ts";
import { buildBoardPath, describeAlert } from "./alert-query.server.ts";
import { DigestMail, type DigestSection, formatDigestSubject } from "./emails.tsx";
import type { AlertSettings } from "./request-alert.server.tsx";
import type { alerts } from "./tables.server.ts";

/**
 * Names the digest of an address and a day, so that there is only one.
 *
 * @returns the name of a new one first, then those that it has if the secret has changed since
 */
export function listDigestCauses(
  config: Pick<AlertSettings, "secrets">,
  email: string,
  end: Date,
): [string, ...string[]] {
  const [own, ...earlier] = listAddressHashes(config, email);
  const toCause = (hash: string) => `alert-digest:${hash}:${toIsoDay(end)}`;
  return [toCause(own), ...earlier.map(toCause)];
}

/** Builds the part of a digest with the new jobs of one alert. @param count their number, with those not listed */
export function buildDigestSection(
  config: AlertSettings,
  { id, query, frequency }: Pick<typeof alerts.$inferSelect, "id" | "query" | "frequency">,
  { jobs, count }: Pick<DigestSection, "jobs" | "count">,
): DigestSection {
  return {
    alertId: id,
    name: describeAlert(query),
    frequency,
    jobs,
    count,
    board: config.origin + buildBoardPath(query),
    stop: config.origin + buildStopPath(config, id, "stop"),
  };
}

/**
 * Builds the digest of an address. The button of mail programs stops the alerts that are in it: its only one, or all.
 *
 * @param end the end of the latest daily window
 */
export function buildDigestMail(
  config: AlertSettings,
  email: string,
  { sections, end }: { sections: readonly [DigestSection, ...DigestSection[]]; end: Date },
): NewMail {
  const { origin, product } = config;
  const [first, ...others] = sections;
  const stopAll = origin + buildStopPath(config, first.alertId, "stop-all");
  return {
    cause: listDigestCauses(config, email, end)[0],
    to: email,
    subject: formatDigestSubject(sections),
    // RFC 2369, RFC 8058 and RFC 2919.
    headers: {
      "List-Unsubscribe": `<${others.length === 0 ? first.stop : stopAll}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": `<job-alerts.${new URL(origin).hostname}>`,
    },
    body: <DigestMail product={product} origin={origin} sections={sections} stopAll={stopAll} />,
  };
}
