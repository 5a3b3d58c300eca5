import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import { composePassword } from "./rules.ts";

// The minimum for argon2id in OWASP's password storage guide.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password in its composed form with argon2id; deliberately takes tens of milliseconds. */
export function hashPassword(password: string): Promise<string> {
  return hash(composePassword(password), cost);
}

/** Checks a password against a hash, like {@link findMatchingForm}. */
export async function verifyPassword(passwordHash: string | null, password: string) {
  return (await findMatchingForm(passwordHash, password)) !== null;
}

/**
 * Finds the form of a password that was hashed: the composed one, or for an imported hash any form that a keyboard
 * writes. Without a hash, as for an unknown address, it takes just as long.
 *
 * @param areImported true if any account still has an imported bcrypt hash. Every wrong password is then
 * compared with both kinds, so that the time doesn't reveal which accounts were imported
 * @param compare compares an argon2id hash with a form; tests count its calls
 * @returns null if no form matches
 */
export async function findMatchingForm(
  passwordHash: string | null,
  password: string,
  areImported = false,
  compare = verify,
): Promise<string | null> {
  const imported = passwordHash !== null && isImportedHash(passwordHash) ? passwordHash : null;
  const own = imported === null ? passwordHash : null;
  const form = composePassword(password);
  const matches = await compare(own ?? (await dummyHash), form).catch(() => false);
  if (matches && own !== null) return form;
  if (imported === null && !areImported) return null;
  for (const typed of listTypedForms(password))
    if (await matchesImportedHash(imported, typed)) return typed;
  return null;
}

/** Lists the forms in which keyboards write this password. */
function listTypedForms(password: string): string[] {
  const form = composePassword(password);
  return [
    ...new Set([form, password, form.normalize("NFD"), form.replace(decomposed, composeExcluded)]),
  ];
}

/**
 * Indic nukta letters such as क़, which Windows keyboards type as one code point and NFC always writes as two
 * (Unicode's composition exclusions).
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

/**
 * Checks whether a matching hash should be replaced: an imported one, except of a longer password, because bcrypt
 * reads only 72 bytes and the rest may be mistyped.
 *
 * @param form the form that matched the hash
 */
export function needsRehash(passwordHash: string, form: string): boolean {
  return isImportedHash(passwordHash) && Buffer.byteLength(form) <= 72;
}

/** True for a bcrypt hash, which an imported account keeps until its owner first signs in. */
function isImportedHash(passwordHash: string): boolean {
  return passwordHash.startsWith("$2");
}

/** The most common cost of imported hashes. Others take a different time to compare. */
const importedCost = 10;
let dummyImportedHash: Promise<string> | undefined;

/** Loaded on first use: most installations have no imported accounts. */
async function matchesImportedHash(passwordHash: string | null, password: string) {
  const bcrypt = await import("@node-rs/bcrypt");
  dummyImportedHash ??= bcrypt.hash(randomBytes(32).toString("base64"), importedCost);
  const compared = passwordHash ?? (await dummyImportedHash);
  const matches = await bcrypt.verify(password, compared).catch(() => false);
  return matches && passwordHash !== null;
}

/** True for one of the most common leaked passwords, or for only spaces. */
export function isCommonPassword(password: string): boolean {
  const bare = password.normalize("NFKC").trim().toLowerCase();
  return bare === "" || commonPasswords.has(bare);
}

const dummyHash = hashPassword(randomBytes(32).toString("base64"));

/** All in lower case. */
const commonPasswords = new Set<unknown>(dictionary["passwords-common"]);
