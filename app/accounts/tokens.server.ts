import { createHash, randomBytes } from "node:crypto";

/** 256 random bits that nobody guesses, for a cookie or an address. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a token: whoever reads it cannot use it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
