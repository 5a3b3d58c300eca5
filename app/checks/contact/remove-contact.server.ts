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
import { jobs } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { listContactHashes, lockContact } from "./contact-address.server.ts";
import { questionCause } from "./emails.tsx";
import { isContact, listAddresses } from "./contact-texts.ts";
import { listPersonTexts, createEraser, type Eraser } from "./erase-person.ts";
import { removeFromEvents, listEventsAbout } from "./job-events.server.ts";
import { getQuestion } from "./find-question.server.ts";
import { hasAddress } from "./listings-of-contact.server.ts";
import { contactQuestions, stoppedContacts } from "./tables.server.ts";

/**
 * Removes a contact at their request, in one transaction: their consent ends, every listing with their address loses its
 * contact, and their name and address are erased from listings, history and emails. A listing without an application
 * page is archived. Only a hash of the address stays, so that they get no more questions. Doing it again changes
 * nothing.
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
  const emailHashes = listContactHashes(config, address);
  await db.transaction(async (tx) => {
    await lockContact(tx, emailHashes);
    const question = await getQuestion(tx, token);
    const { email } = question;
    if (question.answer === "withdrawn" || email === null) return;
    await withdrawConsent(tx, { email }, "contact");
    await hideConsenter(tx, { email }, "contact", emailHashes[0]);
    const listings = await lockListingsOf(tx, email);
    const asked = await listAskedJobs(tx, emailHashes);
    const events = await listEventsAbout(tx, email, [...listings.map(({ id }) => id), ...asked]);
    const states = [
      ...listings.filter((listing) => isContactOf(listing, email)),
      ...events.flatMap(({ before, after }) => [before, after]),
    ];
    const eraser = createEraser(listPersonTexts(email, states));
    for (const listing of listings) await clearListing(tx, listing, email, eraser);
    await removeFromEvents(tx, events, eraser);
    await deleteMails(tx, email);
    await closeQuestions(tx, emailHashes);
  });
}

type Listing = typeof jobs.$inferSelect;

/** Locks every listing that names the address, in one order for all transactions. */
function lockListingsOf(tx: Database, email: string): Promise<Listing[]> {
  return tx.select().from(jobs).where(hasAddress(email)).orderBy(asc(jobs.id)).for("no key update");
}

async function listAskedJobs(tx: Database, emailHashes: string[]): Promise<string[]> {
  const asked = await tx
    .selectDistinct({ jobId: contactQuestions.jobId })
    .from(contactQuestions)
    .where(inArray(contactQuestions.emailHash, emailHashes));
  return asked.map(({ jobId }) => jobId);
}

/** Checks whether a listing sends people to an address. Others only mention it in their text. */
function isContactOf(listing: Listing, email: string): boolean {
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

/** Forgets the address in every question, and stops further ones. */
async function closeQuestions(tx: Database, emailHashes: [string, ...string[]]): Promise<void> {
  const at = now();
  const [emailHash] = emailHashes;
  await tx
    .update(contactQuestions)
    .set({ email: null, answer: "withdrawn", answeredAt: at })
    .where(
      and(
        inArray(contactQuestions.emailHash, emailHashes),
        or(isNull(contactQuestions.answer), ne(contactQuestions.answer, "withdrawn")),
      ),
    );
  await tx
    .insert(stoppedContacts)
    .values({ emailHash, reason: "withdrawn", at })
    .onConflictDoUpdate({ target: stoppedContacts.emailHash, set: { reason: "withdrawn", at } });
}
