import type { Actor } from "../../accounts/actor.server.ts";
import { findOpenConsent } from "../../accounts/consents/consents.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { listContactHashes, lockContact } from "../../jobs/contact/contact-address.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { hasAddress } from "./listings-of-contact.server.ts";
import { clearContact, hasTheirAddress } from "./remove-contact.server.ts";

/** A signed-in person as the contact of listings, found by the address of their account. */
type OwnContact = Awaited<ReturnType<typeof getOwnContact>>;

/** Returns what the actor is the contact of. Only a confirmed address can sign in, so it is theirs. */
export async function getOwnContact(db: Database, { email: address }: { email: string }) {
  const email = normalizeEmail(address);
  const naming = await db.select().from(jobs).where(hasAddress(email));
  return {
    /** Given if they answered a question with “Still open”. */
    consent: await findOpenConsent(db, { email }, "contact"),
    /** The number of listings that name them, archived ones too. */
    listings: naming.filter((listing) => hasTheirAddress(listing, email)).length,
  };
}

/** Checks whether the actor is a contact. */
function isOwnContact({ consent, listings }: OwnContact): boolean {
  return consent !== null || listings > 0;
}

/**
 * Removes the actor as the contact of listings, as the link in our emails does. Does nothing if they aren't a contact.
 */
export async function removeOwnContact(
  db: Database,
  actor: Actor | null,
  config: Pick<Config, "secrets">,
): Promise<void> {
  authorize(actor, "consent.change");
  await db.transaction((tx) => clearContactOf(tx, actor, config));
}

/** The same for an account that is being closed. The caller checks permission. */
export async function clearContactOf(
  tx: Database,
  person: { email: string },
  config: Pick<Config, "secrets">,
): Promise<void> {
  const email = normalizeEmail(person.email);
  await lockContact(tx, listContactHashes(config, email));
  if (isOwnContact(await getOwnContact(tx, person))) await clearContact(tx, config, email);
}
