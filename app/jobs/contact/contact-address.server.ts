import { sql } from "drizzle-orm";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { hashText, listHashes } from "../../platform/signed-ids.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { listAddresses, toPhoneKey } from "./addresses-and-phones.ts";

/** The purposes of the hashes. */
const purpose = "contact";
const phonePurpose = "contact phone";

/** The columns that say how to reach a listing's contact. */
export type ContactColumns = { checkEmail: string | null; pocContact: string | null };

/**
 * Finds the email address of a listing's contact.
 *
 * @returns the address for questions, else the only address in the public contact; null if there is none or several,
 * or if mail servers may not accept it
 */
export function findContactAddress({ checkEmail, pocContact }: ContactColumns): string | null {
  const addresses = checkEmail ? [normalizeEmail(checkEmail)] : listAddresses(pocContact);
  const [address, ...others] = addresses;
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

/** Lists the hashes of a contact's phone number with each of our secrets, newest first. */
export function listPhoneHashes(
  settings: Pick<Config, "secrets">,
  phone: string,
): [string, ...string[]] {
  return listHashes(settings, phonePurpose, toPhoneKey(phone)) as [string, ...string[]];
}

/**
 * Locks everything about a contact's address until the transaction ends: asking, answering, removing and publishing
 * wait for each other. Lock addresses before phone numbers, and both before any listing, to avoid deadlocks.
 *
 * @param hashes the hashes of addresses, or of phone numbers, with each of our secrets
 */
export async function lockContact(tx: Database, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.execute(sql`
    select pg_advisory_xact_lock(hashtextextended('contact ' || hash, 0))
    from (select hash from json_array_elements_text(${JSON.stringify(hashes)}::json) as hash order by hash) as sorted`);
}
