import { and, eq, inArray } from "drizzle-orm";
import { day } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import { countTry, type RateLimit } from "../../platform/rate-limit.server.ts";
import { listContactHashes, listPhoneHashes, lockContact } from "./contact-address.server.ts";
import { listReachableContacts } from "./addresses-and-phones.ts";
import type { JobContacts } from "../rules.ts";
import { stoppedContacts } from "../tables.server.ts";

const stoppedContact = "This contact can't be published. Use another.";
const tooManyContacts = "Please use fewer email addresses and phone numbers.";

/** The settings that recognize a removed contact, and that turn limits off. */
export type ContactSettings = Pick<Config, "secrets" | "rateLimits">;

/** The texts of a listing that people see. Each can have an address or a number. */
export type ListingTexts = JobContacts & {
  title: string;
  company: string;
  location: string;
  compensation: string | null;
  description: string;
  largeDescription: string | null;
  checkEmail?: string | null;
};

/** A form that adds contacts tells if they withdrew, so an account has this many attempts a day. */
export const contactsByPerson: RateLimit = { name: "listing-contacts", max: 100, windowMs: day };

/** The most contacts that one listing can add, since each is locked. */
const maxContacts = 50;

/**
 * Counts an attempt to add contacts to a listing. Nothing is counted for a listing that adds none. It must not be in the
 * transaction of a refused listing, which would take the count back.
 *
 * @param old the texts of the listing before
 * @throws {TooMany} for too many attempts in a day
 */
export async function countAddedContacts(
  db: Database,
  settings: ContactSettings,
  { texts, old, personId }: { texts: ListingTexts; old: ListingTexts | null; personId: string },
): Promise<void> {
  const { addresses, phones } = listAddedHashes(settings, texts, old);
  if (addresses.length + phones.length === 0) return;
  await countTry({ db, config: settings }, contactsByPerson, personId);
}

/**
 * Refuses a listing that adds a contact who had their name removed. Until the transaction ends, a removal of its contacts
 * waits. Call it before any listing is locked.
 *
 * @param old the texts of the listing before, if it is public; null checks all of its contacts
 * @throws {Conflict} for a removed contact
 * @throws {Invalid} for too many contacts
 */
export async function requirePublishableContacts(
  tx: Database,
  settings: ContactSettings,
  texts: ListingTexts,
  old: ListingTexts | null = null,
): Promise<void> {
  const { addresses, phones } = listAddedHashes(settings, texts, old);
  const hashes = [...addresses, ...phones];
  if (hashes.length === 0) return;
  if (hashes.length > maxContacts * settings.secrets.length)
    throw new Invalid({ "": tooManyContacts });
  await lockContact(tx, addresses);
  await lockContact(tx, phones);
  if ((await findStops(tx, hashes, "withdrawn")).length > 0) throw new Conflict(stoppedContact);
}

/** Lists the addresses in a listing to which email bounced. */
export async function listBouncedAddresses(
  db: Database,
  settings: ContactSettings,
  texts: ListingTexts,
): Promise<string[]> {
  const { addresses } = listReachableContacts(listTexts(texts));
  const hashed = addresses.map((address) => ({
    address,
    hashes: listContactHashes(settings, address),
  }));
  const stops = await findStops(
    db,
    hashed.flatMap(({ hashes }) => hashes),
    "bounced",
  );
  return hashed.flatMap(({ address, hashes }) =>
    hashes.some((hash) => stops.includes(hash)) ? [address] : [],
  );
}

/**
 * Finds the listings with a removed contact.
 *
 * @returns their places in the list
 */
export async function findStoppedListings(
  db: Database,
  settings: ContactSettings,
  listings: readonly ListingTexts[],
): Promise<number[]> {
  const hashed = listings.map((texts) =>
    Object.values(listAddedHashes(settings, texts, null)).flat(),
  );
  const stops = new Set(await findStops(db, hashed.flat(), "withdrawn"));
  return hashed.flatMap((hashes, place) => (hashes.some((hash) => stops.has(hash)) ? [place] : []));
}

function listAddedHashes(settings: ContactSettings, texts: ListingTexts, old: ListingTexts | null) {
  const { addresses, phones } = listReachableContacts(listTexts(texts));
  const before = listReachableContacts(old ? listTexts(old) : []);
  return {
    addresses: addresses
      .filter((address) => !before.addresses.includes(address))
      .flatMap((address) => listContactHashes(settings, address)),
    phones: phones
      .filter((phone) => !before.phones.includes(phone))
      .flatMap((phone) => listPhoneHashes(settings, phone)),
  };
}

/** Every text that people see counts, since each tells them how to reach the contact. */
function listTexts(texts: ListingTexts): (string | null)[] {
  return [
    texts.pocName,
    texts.pocContact,
    texts.checkEmail ?? null,
    texts.portalApplicationLink,
    texts.directApplicationLink,
    texts.title,
    texts.company,
    texts.location,
    texts.compensation,
    texts.description,
    texts.largeDescription,
  ];
}

async function findStops(db: Database, hashes: readonly string[], reason: "withdrawn" | "bounced") {
  if (hashes.length === 0) return [];
  const stops = await db
    .select({ hash: stoppedContacts.contactHash })
    .from(stoppedContacts)
    .where(
      and(inArray(stoppedContacts.contactHash, [...hashes]), eq(stoppedContacts.reason, reason)),
    );
  return stops.map(({ hash }) => hash);
}
