import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  like,
  ne,
  notExists,
  or,
  sql,
} from "drizzle-orm";
import { hideConsenter, withdrawConsent } from "../../accounts/consents/consents.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { parseWebLink } from "../../jobs/contact-ways.ts";
import { jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import {
  listContactHashes,
  listPhoneHashes,
  lockContact,
} from "../../jobs/contact-address.server.ts";
import { questionCause } from "./emails.tsx";
import { isContact, listAddresses } from "../../jobs/contact-texts.ts";
import { listPersonTexts, createEraser, type Eraser, type PersonTexts } from "./erase-person.ts";
import { type JobEvent, removeFromEvents, listEventsAbout } from "./job-events.server.ts";
import { getQuestion } from "./find-question.server.ts";
import { hasAddress } from "./listings-of-contact.server.ts";
import { contactQuestions } from "./tables.server.ts";

/**
 * Removes a contact at their request, in one transaction: their consent ends, every listing with their address loses its
 * contact, and their name and address are erased from listings, history and emails. A listing without an application
 * page is archived. Only hashes of the address and their phone numbers stay, so that nobody publishes them again. Doing
 * it again changes nothing.
 *
 * A removal also follows an earlier answer, because withdrawing must be as easy as consenting.
 *
 * @throws {NotFound} for an unknown or expired link
 */
export async function removeContact(
  db: Database,
  config: Pick<Config, "secrets">,
  token: string,
): Promise<void> {
  const { email: address } = await getQuestion(db, token);
  if (address === null) return;
  await db.transaction(async (tx) => {
    await lockContact(tx, listContactHashes(config, address));
    const { answer, email } = await getQuestion(tx, token);
    if (answer !== "withdrawn" && email !== null) await clearContact(tx, config, email);
  });
}

/** Erases a contact whose address the transaction has locked. */
export async function clearContact(
  tx: Database,
  config: Pick<Config, "secrets">,
  email: string,
): Promise<void> {
  const emailHashes = listContactHashes(config, email);
  // First of all, since an import that has checked its contacts makes this wait, and the search then finds its listings.
  await stopContacts(tx, [emailHashes[0]]);
  // Their numbers are locked before the listings, as in all transactions.
  const { phones } = await findPerson(tx, email, emailHashes, await selectListingsOf(tx, email));
  await lockContact(
    tx,
    [...phones].flatMap((phone) => listPhoneHashes(config, phone)),
  );
  await withdrawConsent(tx, { email }, "contact");
  await hideConsenter(tx, { email }, "contact", emailHashes[0]);
  const listings = await selectListingsOf(tx, email).for("no key update");
  const { events, ...person } = await findPerson(tx, email, emailHashes, listings);
  const eraser = createEraser(person);
  for (const listing of listings) await clearListing(tx, listing, email, eraser);
  await removeFromEvents(tx, events, eraser);
  await deleteMails(tx, email);
  await closeQuestions(tx, emailHashes);
  const numbers = [...person.phones].map((phone) => listPhoneHashes(config, phone)[0]);
  await stopContacts(tx, numbers);
}

type Listing = typeof jobs.$inferSelect;

/** Selects every listing that names the address, in one order for all transactions. */
function selectListingsOf(tx: Database, email: string) {
  return tx.select().from(jobs).where(hasAddress(email)).orderBy(asc(jobs.id)).$dynamic();
}

/** Finds the names and numbers that listings and their history have for an address, and that history. */
async function findPerson(
  tx: Database,
  email: string,
  emailHashes: string[],
  listings: Listing[],
): Promise<PersonTexts & { events: JobEvent[] }> {
  const asked = await listAskedJobs(tx, emailHashes);
  const events = await listEventsAbout(tx, email, [...listings.map(({ id }) => id), ...asked]);
  const states = [
    ...listings.filter((listing) => isContactOf(listing, email)),
    ...events.flatMap(({ before, after }) => [before, after]),
  ];
  return { ...listPersonTexts(email, states), events };
}

async function listAskedJobs(tx: Database, emailHashes: string[]): Promise<string[]> {
  const asked = await tx
    .selectDistinct({ jobId: contactQuestions.jobId })
    .from(contactQuestions)
    .where(inArray(contactQuestions.emailHash, emailHashes));
  return asked.map(({ jobId }) => jobId);
}

/** Checks whether a listing sends people to an address. Others only mention it in their text. */
export function isContactOf(listing: Listing, email: string): boolean {
  return isContact(listing, email) || listAddresses(listing.directApplicationLink).includes(email);
}

/**
 * Erases the contact from a listing. If they were its contact, and people can't apply on a page, it is archived.
 */
async function clearListing(
  tx: Database,
  listing: Listing,
  email: string,
  { eraseText }: Eraser,
): Promise<void> {
  const { id, isArchived } = listing;
  const withoutThem = (link: string | null) =>
    link !== null && eraseText(link) === link ? link : null;
  const portal = withoutThem(listing.portalApplicationLink);
  const isTheirs = isContactOf(listing, email);
  const closes = isTheirs && !isArchived && parseWebLink(portal) === null;
  await tx
    .update(jobs)
    .set({
      ...(isTheirs && {
        pocName: null,
        pocContact: null,
        checkEmail: null,
        // It is shown as the contact too, unless it is only a page.
        directApplicationLink: parseWebLink(withoutThem(listing.directApplicationLink)),
      }),
      portalApplicationLink: portal,
      compensation: listing.compensation && eraseText(listing.compensation),
      description: eraseText(listing.description),
      largeDescription: listing.largeDescription && eraseText(listing.largeDescription),
      updatedAt: now(),
      ...(closes && { isArchived: true, archivedReason: "withdrawn" }),
    })
    .where(eq(jobs.id, id));
  await recordAuditEvents(tx, [
    {
      actor: "contact",
      event: "job.remove-contact",
      subject: { type: "job", id },
      before: { isArchived },
      after: { isArchived: isArchived || closes },
    },
  ]);
}

/**
 * Deletes our questions to an address. If it belongs to no account, sent emails to it are deleted too. Others that wait
 * to be sent stay, such as an answer of support.
 */
async function deleteMails(tx: Database, email: string): Promise<void> {
  const account = tx.select({ id: users.id }).from(users).where(eq(users.email, email));
  const isDone = or(isNotNull(mails.sentAt), isNotNull(mails.droppedAt));
  await tx
    .delete(mails)
    .where(
      and(
        eq(sql`lower(${mails.recipient})`, email),
        or(like(mails.cause, `${questionCause}:%`), and(isDone, notExists(account))),
      ),
    );
}

/** Keeps the hashes of addresses and numbers that can't be published again. */
async function stopContacts(tx: Database, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  const at = now();
  await tx
    .insert(stoppedContacts)
    .values(hashes.map((contactHash) => ({ contactHash, reason: "withdrawn" as const, at })))
    .onConflictDoUpdate({ target: stoppedContacts.contactHash, set: { reason: "withdrawn", at } });
}

/** Forgets the address in every question. */
async function closeQuestions(tx: Database, emailHashes: string[]): Promise<void> {
  const at = now();
  await tx
    .update(contactQuestions)
    .set({ email: null, answer: "withdrawn", answeredAt: at })
    .where(
      and(
        inArray(contactQuestions.emailHash, emailHashes),
        or(isNull(contactQuestions.answer), ne(contactQuestions.answer, "withdrawn")),
      ),
    );
}
