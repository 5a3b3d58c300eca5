import type { Config } from "../platform/config.server.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { buildSignedId, parseSignedId } from "../platform/signed-ids.server.ts";

/**
 * The way a link to a message reached its reader. Only a mailed link proves that they read the address of the message, so
 * only it shows our replies. Anyone can enter any address in the contact form.
 */
export type LinkKind = "mailed" | "shown";

const ticketLength = "T-7QK3-9FWM".length;

/** Builds the address where the writer follows a message, with our signature instead of a session. */
export function buildTicketLink(
  settings: Pick<Config, "origin" | "secrets">,
  ticket: string,
  kind: LinkKind,
): string {
  return `${settings.origin}${buildTicketPath(settings, ticket, kind)}`;
}

/** Builds the path of such a link. */
export function buildTicketPath(
  settings: Pick<Config, "secrets">,
  ticket: string,
  kind: LinkKind,
): OwnPath {
  return `/support/${buildSignedId(settings, getTicketPurpose(kind), ticket)}`;
}

/** Reads the token of a link. Returns null if we didn't sign it. */
export function parseTicketToken(
  settings: Pick<Config, "secrets">,
  token: string,
): { ticket: string; kind: LinkKind } | null {
  for (const kind of ["mailed", "shown"] as const) {
    const ticket = parseSignedId(settings, getTicketPurpose(kind), token, ticketLength);
    if (ticket !== null) return { ticket, kind };
  }
  return null;
}

function getTicketPurpose(kind: LinkKind): string {
  return `ticket\n${kind}`;
}
