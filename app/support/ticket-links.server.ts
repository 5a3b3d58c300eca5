import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "../platform/config.server.ts";

/**
 * The way a link to a message reached its reader. Only a mailed link proves that they read the address of the message, so
 * only it shows our replies. Anyone can enter any address in the contact form.
 */
export type LinkKind = "mailed" | "shown";

const ticketLength = "T-7QK3-9FWM".length;
/** The length of a signature in bytes: 128 bits are too many to guess. */
const signatureLength = 16;

/** Builds the address where the writer follows a message, with our signature instead of a session. */
export function buildTicketLink(
  settings: Pick<Config, "origin" | "secret">,
  ticket: string,
  kind: LinkKind,
): string {
  return `${settings.origin}${buildTicketPath(settings, ticket, kind)}`;
}

/** Builds the path of such a link. */
export function buildTicketPath(
  settings: Pick<Config, "secret">,
  ticket: string,
  kind: LinkKind,
): string {
  return `/support/${ticket}-${signTicket(settings, ticket, kind).toString("base64url")}`;
}

/** Reads the token of a link. Returns null if we didn't sign it. */
export function parseTicketToken(
  settings: Pick<Config, "secret">,
  token: string,
): { ticket: string; kind: LinkKind } | null {
  const ticket = token.slice(0, ticketLength);
  const signature = Buffer.from(token.slice(ticketLength + 1), "base64url");
  if (signature.length !== signatureLength) return null;
  for (const kind of ["mailed", "shown"] as const)
    if (timingSafeEqual(signature, signTicket(settings, ticket, kind))) return { ticket, kind };
  return null;
}

function signTicket({ secret }: Pick<Config, "secret">, ticket: string, kind: LinkKind): Buffer {
  return createHmac("sha256", secret)
    .update(`ticket\n${kind}\n${ticket}`)
    .digest()
    .subarray(0, signatureLength);
}
