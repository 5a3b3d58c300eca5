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
 *
 * @param areImported whether anybody's hash is still one of {@link isImported}: then every wrong password
 * is compared with both kinds, so that the time tells nobody's from an imported one
 */
export async function passwordMatches(
  passwordHash: string | null,
  password: string,
  areImported = false,
): Promise<boolean> {
  const imported = passwordHash !== null && isImported(passwordHash) ? passwordHash : null;
  if (imported !== null && (await importedMatches(imported, password))) return true;
  const own = imported === null ? passwordHash : null;
  const matches = await verify(own ?? (await nobodysHash), password).catch(() => false);
  if (matches && own !== null) return true;
  if (areImported && imported === null) await importedMatches(null, password);
  return false;
}

/** Whether a hash is one of bcrypt, as accounts have that were brought in until they first sign in. */
export function isImported(passwordHash: string): boolean {
  return passwordHash.startsWith("$2");
}

/**
 * Whether a password can take the place of the hash it matched: bcrypt looks at its first 72 bytes only, and
 * what stands behind them may be a mistake in typing.
 */
export function isWholeInBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= 72;
}

/** As former systems made them, most often; others take another time to compare. */
const usualCost = 10;
let nobodysImported: Promise<string> | undefined;

/** Loaded at the first use: most installations have brought in nobody. */
async function importedMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const bcrypt = await import("@node-rs/bcrypt");
  nobodysImported ??= bcrypt.hash(randomBytes(32).toString("base64"), usualCost);
  const compared = passwordHash ?? (await nobodysImported);
  const matches = await bcrypt.verify(password, compared).catch(() => false);
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
