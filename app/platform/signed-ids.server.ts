import { createHmac, timingSafeEqual } from "node:crypto";
import type { Config } from "./config.server.ts";

/** The length of the signature in a link, in bytes: 128 bits are too many to guess. */
const linkSignatureLength = 16;

/** The length of a UUID in characters. */
export const uuidLength = 36;

type Signing = Pick<Config, "secrets">;

/**
 * The headers of a page whose address is as good as a password: they hide it from caches, other sites and search engines.
 * Our own site still gets the referrer, since forms in the page frame need it.
 */
export const secretLinkHeaders = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex, nofollow",
};

/**
 * Builds a token for the address of a link without a session: an id with our signature.
 *
 * @param purpose the kind of link. A token of one purpose is invalid for every other.
 */
export function buildSignedId(settings: Signing, purpose: string, id: string): string {
  return `${id}-${hashText(settings, purpose, id)}`;
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
  if (signature.length !== linkSignatureLength) return null;
  return isSignature(settings, purpose, id, signature) ? id : null;
}

/** Hashes a text with the newest secret, to 22 characters. */
export function hashText(settings: Signing, purpose: string, text: string): string {
  return toHash(signText(settings, purpose, text));
}

/** Lists the hashes of a text with each secret, newest first, to find a hash from before a change of the secret. */
export function listHashes(settings: Signing, purpose: string, text: string): string[] {
  return listSignatures(settings, purpose, text).map(toHash);
}

function toHash(signature: Buffer): string {
  return signature.subarray(0, linkSignatureLength).toString("base64url");
}

/** Signs a text or bytes with the newest secret: their HMAC of 32 bytes. */
export function signText(settings: Signing, purpose: string, text: string | Buffer): Buffer {
  return listSignatures(settings, purpose, text)[0]!;
}

/** Checks whether one of our secrets signed a text. @param signature the signature, or its first bytes */
export function isSignature(
  settings: Signing,
  purpose: string,
  text: string | Buffer,
  signature: Buffer,
): boolean {
  return listSignatures(settings, purpose, text).some((own) =>
    timingSafeEqual(own.subarray(0, signature.length), signature),
  );
}

function listSignatures({ secrets }: Signing, purpose: string, text: string | Buffer): Buffer[] {
  return secrets.map((secret) =>
    createHmac("sha256", secret).update(`${purpose}\n`).update(text).digest(),
  );
}
