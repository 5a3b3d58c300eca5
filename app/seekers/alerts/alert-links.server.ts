import type { Config } from "../../platform/config.server.ts";
import { buildSignedId, listHashes, parseSignedId } from "../../platform/signed-ids.server.ts";

type Signing = Pick<Config, "secrets">;

/** The purposes of signatures. A link that stops all alerts of an address has the id of one of them. */
const purposes = {
  confirm: "alert-confirm",
  stop: "alert-stop",
  "stop-all": "alert-stop-all",
} as const;

const idLength = "00000000-0000-0000-0000-000000000000".length;

/** Builds the path where a visitor confirms an alert. */
export function buildConfirmPath(config: Signing, id: string): string {
  return `/alerts/confirm/${buildSignedId(config, purposes.confirm, id)}`;
}

/** Builds the path that stops an alert, or all alerts of its address. */
export function buildStopPath(config: Signing, id: string, kind: "stop" | "stop-all"): string {
  return `/alerts/stop/${buildSignedId(config, purposes[kind], id)}`;
}

/** Reads the alert's id of a link that confirms it; null if we didn't sign the link. */
export function parseConfirmToken(config: Signing, token: string): string | null {
  return parseSignedId(config, purposes.confirm, token, idLength);
}

/** Reads a link that stops alerts; null if we didn't sign it. */
export function parseStopToken(
  config: Signing,
  token: string,
): { id: string; isForAll: boolean } | null {
  const id = parseSignedId(config, purposes.stop, token, idLength);
  if (id !== null) return { id, isForAll: false };
  const anyId = parseSignedId(config, purposes["stop-all"], token, idLength);
  return anyId === null ? null : { id: anyId, isForAll: true };
}

/** Hashes an address with our secret, for the causes of its emails and for consents after it was deleted. */
export function hashAlertAddress(config: Signing, email: string): string {
  return listAddressHashes(config, email)[0];
}

/** Lists the hashes of an address with each of our secrets, newest first, to find the causes of earlier emails. */
export function listAddressHashes(config: Signing, email: string): [string, ...string[]] {
  return listHashes(config, "alerts", email) as [string, ...string[]];
}
