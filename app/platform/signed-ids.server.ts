import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "./config.server.ts";

/** The length of a signature in bytes: 128 bits are too many to guess. */
const signatureLength = 16;

type Signing = Pick<Config, "secret">;

/**
 * Builds a token for the address of a link without a session: an id with our signature.
 *
 * @param purpose the kind of link. A token of one purpose is invalid for every other.
 */
export function buildSignedId(settings: Signing, purpose: string, id: string): string {
  return `${id}-${signText(settings, purpose, id).toString("base64url")}`;
}

/**
 * Reads the id of such a token.
 *
 * @param idLength the length of an id in characters
 * @returns null if we didn't sign it for this purpose
 */
export function parseSignedId(
  settings: Signing,
  purpose: string,
  token: string,
  idLength: number,
): string | null {
  const id = token.slice(0, idLength);
  const signature = Buffer.from(token.slice(idLength + 1), "base64url");
  if (signature.length !== signatureLength) return null;
  return timingSafeEqual(signature, signText(settings, purpose, id)) ? id : null;
}

/** Signs a text: its HMAC with our secret. */
export function signText({ secret }: Signing, purpose: string, text: string): Buffer {
  return createHmac("sha256", secret)
    .update(`${purpose}\n${text}`)
    .digest()
    .subarray(0, signatureLength);
}
