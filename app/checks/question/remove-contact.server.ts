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
import { parseWebLink } from "../../jobs/contact/apply-methods.ts";
import { jobs, searchWords, stoppedContacts } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { toSearchForm } from "../../platform/text/text.ts";
import {
  listContactHashes,
  listPhoneHashes,
  lockContact,
} from "../../jobs/contact/contact-address.server.ts";
import { clearPageChanges } from "./clear-page-changes.server.ts";
import { clearSubmissions } from "./clear-submissions.server.ts";
import { questionCause } from "./emails.tsx";
import {
  isContact,
  listAddresses,
  listReachableContacts,
  toPhoneKey,
} from "../../jobs/contact/addresses-and-phones.ts";
import { listPersonTexts, createEraser, type Eraser, type PersonTexts } from "./erase-person.ts";
import { type JobEvent, removeFromEvents, listEventsAbout } from "./job-events.server.ts";
import { getQuestion } from "./find-question.server.ts";
import { hasContact, toSqlArray } from "./listings-of-contact.server.ts";
import { findMentionTexts, type MentionTexts } from "./mention-texts.server.ts";
import { contactMentions, contactQuestions } from "./tables.server.ts";

/**
 * Removes a contact at their request, in one transaction: their consent ends, every listing with their address loses its
 * contact, and their name and address are erased from links, copies, history and emails. A listing without an
 * application page is archived. Texts of others that name them wait for an admin. Only hashes of the address and their
 * phone numbers stay, so that nobody publishes them again. Doing it again changes nothing.
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

/**
 * Erases a contact whose address the transaction has locked. Their contact fields, links with them and all copies go at
 * once. The texts of others wait for an admin, and hide their listing until then: a link from an email must not change
 * them, and a name may be another person's.
 */
export async function clearContact(
  tx: Database,
  config: Pick<Config, "secrets">,
  email: string,
): Promise<void> {
  const emailHashes = listContactHashes(config, email);
  // First of all, since an import that has checked its contacts makes this wait, and the search then finds its listings.
  await stopContacts(tx, [emailHashes[0]]);
  // Their numbers are locked before the listings, as in all transactions.
  const { phones } = await findPerson(tx, email, emailHashes, await selectListings(tx, [email]));
  await lockContact(
    tx,
    phones.flatMap((phone) => listPhoneHashes(config, phone)),
  );
  await withdrawConsent(tx, { email }, "contact");
  await hideConsenter(tx, { email }, "contact", emailHashes[0]);
  const contacts = [email, ...phones.map(toPhoneKey)];
  await clearPageChanges(tx, { email, names: [], phones }, contacts);
  const askedIds = await listAskedJobs(tx, emailHashes);
  const listings = await selectListings(tx, contacts, askedIds).for("no key update");
  const { ids, events, ...person } = await findPerson(tx, email, emailHashes, listings);
  const eraser = createEraser(person);
  for (const listing of listings) await clearListing(tx, listing, person, eraser);
  await removeFromEvents(tx, events, eraser);
  await clearCopies(tx, ids, eraser);
  await clearSubmissions(tx, person, contacts);
  await clearSearchWords(tx, person);
  await deleteMails(tx, email);
  await clearQueuedMails(tx, contacts, eraser);
  await closeQuestions(tx, emailHashes);
  await stopContacts(
    tx,
    person.phones.map((phone) => listPhoneHashes(config, phone)[0]),
  );
  const texts = await findMentionTexts(tx, { email, contacts, jobIds: ids });
  await insertMentions(tx, person, eraser, texts);
}

type Listing = typeof jobs.$inferSelect;

/** Selects every listing with one of these addresses and numbers, and some more, in one order for all transactions. */
function selectListings(tx: Database, contacts: string[], ids: string[] = []) {
  return tx
    .select()
    .from(jobs)
    .where(or(hasContact(contacts), inArray(jobs.id, ids)))
    .orderBy(asc(jobs.id))
    .$dynamic();
}

/** Finds the names and numbers that listings and their history have for an address, and that history. */
async function findPerson(
  tx: Database,
  email: string,
  emailHashes: string[],
  listings: Listing[],
): Promise<PersonTexts & { ids: string[]; events: JobEvent[] }> {
  const askedIds = await listAskedJobs(tx, emailHashes);
  const jobIds = [...listings.map(({ id }) => id), ...askedIds];
  const { ids, events } = await listEventsAbout(tx, email, jobIds);
  const states = [
    ...listings.filter((listing) => hasTheirAddress(listing, email)),
    ...events.flatMap(({ before, after }) => [before, after]),
  ];
  return { ...listPersonTexts(email, states), ids, events };
}

async function listAskedJobs(tx: Database, emailHashes: string[]): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ jobId: contactQuestions.jobId })
    .from(contactQuestions)
    .where(inArray(contactQuestions.emailHash, emailHashes));
  return rows.map(({ jobId }) => jobId);
}

/** Checks whether a listing sends people to an address. Others only mention it in their text. */
export function hasTheirAddress(listing: Listing, email: string): boolean {
  return isContact(listing, email) || listAddresses(listing.directApplicationLink).includes(email);
}

/** Without any address, the number and the name together say that they are the contact. */
function isContactOf(listing: Listing, { email, names, phones }: PersonTexts): boolean {
  if (hasTheirAddress(listing, email)) return true;
  const keys = phones.map(toPhoneKey);
  const { addresses, phones: own } = listReachableContacts([
    listing.pocContact,
    listing.checkEmail,
  ]);
  return (
    addresses.length === 0 &&
    own.some((phone) => keys.includes(phone)) &&
    (!listing.pocName || names.includes(listing.pocName))
  );
}

/**
 * Erases the contact from the contact fields and the links of a listing. If they were its contact, and people can't apply
 * on a page, it is archived. While its texts name them, it is hidden.
 */
async function clearListing(tx: Database, listing: Listing, person: PersonTexts, eraser: Eraser) {
  const { id } = listing;
  const withoutThem = (link: string | null) =>
    link !== null && eraser.eraseText(link) === link ? link : null;
  const portal = withoutThem(listing.portalApplicationLink);
  const direct = withoutThem(listing.directApplicationLink);
  const isTheirs = isContactOf(listing, person);
  const cleared = {
    portalApplicationLink: portal,
    // A link is shown as the contact too, unless it is only a page.
    directApplicationLink: isTheirs ? parseWebLink(direct) : direct,
    ...(isTheirs && { pocName: null, pocContact: null, checkEmail: null }),
  };
  const before = await findShownState(tx, listing);
  const closes = isTheirs && !before.isArchived && parseWebLink(portal) === null;
  const after: ShownState = closes ? { isArchived: true, archivedReason: "withdrawn" } : before;
  const texts = toNamingTexts({ ...listing, ...cleared });
  const isNamed =
    (await insertMentions(tx, person, eraser, [texts], after)) ||
    listing.archivedReason === "named";
  // An earlier removal may have left mentions, which return the listing to the same state.
  await tx
    .update(contactMentions)
    .set({ wasArchived: after.isArchived, archivedReason: after.archivedReason })
    .where(isMentionOf(id));
  const isChanged = Object.entries(cleared).some(
    ([field, value]) => listing[field as keyof typeof cleared] !== value,
  );
  if (!isChanged && !isNamed) return;
  const state: ShownState = isNamed ? { isArchived: true, archivedReason: "named" } : after;
  await tx
    .update(jobs)
    .set({ ...cleared, ...state, updatedAt: now() })
    .where(eq(jobs.id, id));
  await recordAuditEvents(tx, [
    {
      actor: "contact",
      event: "job.remove-contact",
      subject: { type: "job", id },
      before: { isArchived: listing.isArchived },
      after: { isArchived: state.isArchived },
    },
  ]);
}

type ShownState = Pick<Listing, "isArchived" | "archivedReason">;

/** Returns the state of a listing, or the one to which it returns if it is hidden already. */
async function findShownState(tx: Database, listing: Listing): Promise<ShownState> {
  const { isArchived, archivedReason } = listing;
  if (archivedReason !== "named") return { isArchived, archivedReason };
  const [mention] = await tx.select().from(contactMentions).where(isMentionOf(listing.id)).limit(1);
  return {
    isArchived: mention?.wasArchived ?? true,
    archivedReason: mention?.archivedReason ?? null,
  };
}

function isMentionOf(jobId: string) {
  return and(eq(contactMentions.kind, "listing"), eq(contactMentions.subjectId, jobId));
}

function toNamingTexts(listing: Listing): MentionTexts {
  const { title, company, location, compensation, description } = listing;
  return {
    kind: "listing",
    id: listing.id,
    jobId: listing.id,
    texts: {
      title,
      company,
      location,
      compensation,
      description,
      large_description: listing.largeDescription,
      poc_name: listing.pocName,
      poc_contact: listing.pocContact,
    },
  };
}

/** Stores the texts that name a contact. @returns false if none does */
async function insertMentions(
  tx: Database,
  { email, names, phones }: PersonTexts,
  { eraseText }: Eraser,
  naming: MentionTexts[],
  state?: ShownState,
): Promise<boolean> {
  const mentions = naming.flatMap(({ kind, id: subjectId, jobId, texts }) =>
    Object.entries(texts).flatMap(([field, text]) =>
      text !== null && eraseText(text) !== text ? [{ kind, subjectId, jobId, field }] : [],
    ),
  );
  if (mentions.length === 0) return false;
  await tx.insert(contactMentions).values(
    mentions.map((mention) => ({
      ...mention,
      person: { email, names, phones },
      wasArchived: state?.isArchived ?? null,
      archivedReason: state?.archivedReason ?? null,
      foundAt: now(),
    })),
  );
  return true;
}

/** Erases the contact from the copies of listings in people's lists of jobs. Their own notes are theirs. */
async function clearCopies(tx: Database, jobIds: string[], { eraseText }: Eraser): Promise<void> {
  const ids = toSqlArray(jobIds, "uuid");
  const paths = toSqlArray(
    jobIds.map((id) => `/jobs/${id}`),
    "text",
  );
  const { rows } = await tx.execute<Record<"id" | "title" | "company" | "place", string>>(sql`
    select id, title, company, place from tracked_jobs
    where id in (select id from tracked_jobs where job_id = any(${ids})
      union select id from tracked_jobs where job_id is null and url <> '' and url = any(${paths}))`);
  for (const { id, title, company, place } of rows) {
    const left = [title, company, place].map(eraseText);
    if (left.join() === [title, company, place].join()) continue;
    await tx.execute(sql`
      update tracked_jobs set title = ${left[0]}, company = ${left[1]}, place = ${left[2]} where id = ${id}::uuid`);
  }
}

/** Deletes the words of their names. The next night brings back those that other listings have. */
async function clearSearchWords(tx: Database, { names }: PersonTexts): Promise<void> {
  const words = names.flatMap((name) => toSearchForm(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
  if (words.length > 0) await tx.delete(searchWords).where(inArray(searchWords.word, words));
}

/** Erases the contact from emails to others that wait to be sent. Sent ones are deleted after a month. */
async function clearQueuedMails(tx: Database, contacts: string[], { eraseText }: Eraser) {
  const naming = await tx
    .select({ id: mails.id, subject: mails.subject, html: mails.html, text: mails.text })
    .from(mails)
    .where(
      and(
        isNull(mails.sentAt),
        sql`contacts_in(${mails.subject} || ' ' || ${mails.text}) && ${toSqlArray(contacts, "text")}`,
      ),
    );
  for (const { id, subject, html, text } of naming)
    await tx
      .update(mails)
      .set({ subject: eraseText(subject), html: eraseText(html), text: eraseText(text) })
      .where(eq(mails.id, id));
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
