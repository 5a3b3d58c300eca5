import { sql } from "drizzle-orm";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { hashText, listHashes } from "../../platform/signed-ids.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { listAddresses } from "./contact-texts.ts";

/** The purpose of the hashes. */
const purpose = "contact";

/** The columns that say how to reach a listing's contact. */
export type ContactColumns = { checkEmail: string | null; pocContact: string | null };

/**
 * Finds the email address of a listing's contact.
 *
 * @returns the address for questions, else the only address in the public contact; null if there is none or several,
 * or if mail servers may not accept it
 */
export function findContactAddress({ checkEmail, pocContact }: ContactColumns): string | null {
  const found = checkEmail ? [normalizeEmail(checkEmail)] : listAddresses(pocContact);
  const [address, ...others] = found;
  const isSendable = address !== undefined && others.length === 0 && sendable.test(address);
  return isSendable ? address : null;
}

/** Addresses with other letters need a mail server that supports SMTPUTF8. */
const sendable = /^[!-~]+@[!-~]+$/;

/** Hashes a contact's address with our secret, so that we can recognize it after it was removed. */
export function hashContactAddress(settings: Pick<Config, "secrets">, address: string): string {
  return hashText(settings, purpose, normalizeEmail(address));
}

/** Lists the hashes of a contact's address with each of our secrets, newest first. */
export function listContactHashes(
  settings: Pick<Config, "secrets">,
  address: string,
): [string, ...string[]] {
  return listHashes(settings, purpose, normalizeEmail(address)) as [string, ...string[]];
}

/**
 * Locks everything about a contact's address until the transaction ends: asking, answering and removing wait for each
 * other.
 *
 * @param emailHashes its hash, or those with each of our secrets
 */
export async function lockContact(tx: Database, emailHashes: string[]): Promise<void> {
  // Locks are taken in one order to avoid deadlocks.
  for (const emailHash of emailHashes.toSorted()) {
    const name = `contact ${emailHash}`;
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  }
}
