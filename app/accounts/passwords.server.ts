import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import { composePassword } from "./rules.ts";

// argon2id with the memory and passes that OWASP's password storage guide gives as its minimum.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password, in its composed form, with argon2id; takes some tens of milliseconds on purpose. */
export function hashPassword(password: string): Promise<string> {
  return hash(composePassword(password), cost);
}

/**
 * True when the password is the one that was hashed.
 *
 * @param areImported as {@link findMatchingForm} takes it
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  areImported = false,
): Promise<boolean> {
  return (await findMatchingForm(passwordHash, password, areImported)) !== null;
}

/**
 * Finds the form of a password that was hashed. Hashes made before passwords were composed hold the form
 * that the keyboard gave, so the other forms are tried too; most passwords have only one. Without a hash, as
 * for an address without an account, it takes as long to find none.
 *
 * @param areImported whether any stored hash is still an imported one, of bcrypt: then every wrong password is
 * compared with both kinds, so that the time does not reveal which accounts were imported
 * @returns null when no form matches
 */
export async function findMatchingForm(
  passwordHash: string | null,
  password: string,
  areImported = false,
): Promise<string | null> {
  for (const form of listPasswordForms(password))
    if (await matchesHash(passwordHash, form, areImported)) return form;
  return null;
}

/** Every way in which keyboards write this password, the form that is hashed now first. */
function listPasswordForms(password: string): string[] {
  const form = composePassword(password);
  return [
    ...new Set([form, password, form.normalize("NFD"), form.replace(decomposed, composeExcluded)]),
  ];
}

/**
 * Letters that Windows keyboards type as one code point, and that NFC always writes as two: the nukta letters
 * of Indic scripts, such as क़ (Unicode's composition exclusions).
 */
const excluded = new Map(
  ["\u0958", "\u0959", "\u095a", "\u095b", "\u095c", "\u095d", "\u095e", "\u095f"]
    .concat(["\u09dc", "\u09dd", "\u09df", "\u0a33", "\u0a36", "\u0a59", "\u0a5a"])
    .concat(["\u0a5b", "\u0a5e", "\u0b5c", "\u0b5d"])
    .map((letter) => [letter.normalize("NFC"), letter]),
);
const decomposed = new RegExp([...excluded.keys()].join("|"), "g");

function composeExcluded(pair: string): string {
  return excluded.get(pair) ?? pair;
}

async function matchesHash(
  passwordHash: string | null,
  password: string,
  areImported: boolean,
): Promise<boolean> {
  const imported = passwordHash !== null && isImportedHash(passwordHash) ? passwordHash : null;
  if (imported !== null && (await matchesImportedHash(imported, password))) return true;
  const own = imported === null ? passwordHash : null;
  const matches = await verify(own ?? (await dummyHash), password).catch(() => false);
  if (matches && own !== null) return true;
  if (areImported && imported === null) await matchesImportedHash(null, password);
  return false;
}

/**
 * True if a hash should be replaced by one of ours, now that the password is known: an imported one, or one of
 * another form than {@link composePassword} gives. Bcrypt reads only the first 72 bytes, and what comes after
 * them may be a mistake in typing: such a hash stays.
 *
 * @param form the form that the hash matched
 */
export function needsRehash(passwordHash: string, form: string): boolean {
  if (isImportedHash(passwordHash)) return Buffer.byteLength(form) <= 72;
  return form !== composePassword(form);
}

/** True for a bcrypt hash, which an imported account keeps until its owner first signs in. */
function isImportedHash(passwordHash: string): boolean {
  return passwordHash.startsWith("$2");
}

/** The most common cost of imported hashes. Others take a different time to compare. */
const importedCost = 10;
let dummyImportedHash: Promise<string> | undefined;

/** Loaded on first use: most installations have no imported accounts. */
async function matchesImportedHash(
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  const bcrypt = await import("@node-rs/bcrypt");
  dummyImportedHash ??= bcrypt.hash(randomBytes(32).toString("base64"), importedCost);
  const compared = passwordHash ?? (await dummyImportedHash);
  const matches = await bcrypt.verify(password, compared).catch(() => false);
  return matches && passwordHash !== null;
}

/** True for what is tried first: one of the commonest leaked passwords, or nothing but spaces. */
export function isCommonPassword(password: string): boolean {
  const bare = password.normalize("NFKC").trim().toLowerCase();
  return bare === "" || commonPasswords.has(bare);
}

const dummyHash = hashPassword(randomBytes(32).toString("base64"));

/** In lower case, as the list has them. */
const commonPasswords = new Set<unknown>(dictionary["passwords-common"]);
