import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";

// argon2id with the memory and passes that OWASP's password storage guide gives as its minimum.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id; takes some tens of milliseconds on purpose. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/**
 * True when the password is the one that was hashed. Without a hash, as for an address that nobody
 * has, it takes as long to say no.
 */
export async function passwordMatches(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await nobodysHash), password).catch(() => false);
  return matches && passwordHash !== null;
}

/** True for what is tried first: one of the commonest leaked passwords, or nothing but spaces. */
export function isCommonPassword(password: string): boolean {
  const bare = password.trim().toLowerCase();
  return bare === "" || commonPasswords.has(bare);
}

const nobodysHash = hashPassword(randomBytes(32).toString("base64"));

/** In lower case, as the list has them. */
const commonPasswords = new Set<unknown>(dictionary["passwords-common"]);
