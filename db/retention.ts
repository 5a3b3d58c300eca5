import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import * as schema from "./schema.ts";

/** How long the rows of a table are stored. */
export type Retention = {
  /** What the rows hold. */
  holds: string;
  /** How long. */
  howLong: string;
  /** The kind of expired data that deletes them, as `npm run admin -- retention` counts it; null if none does. */
  deletedBy: string | null;
};

/** A row for each table of the database, by its name there. `db/retention.test.ts` fails if one is missing. */
export const retention: Record<string, Retention> = {
  // People
  users: store("Names, addresses and bans", "with the account", "unconfirmed accounts"),
  sealed_accounts: store(
    "Names and addresses of closed accounts",
    "two weeks after closing",
    "closed accounts",
  ),
  accounts: store("Hashes of passwords", "with the account"),
  profiles: store("Names, phone numbers, links to work and subscriptions", "with the account"),
  staff_roles: store("Roles of staff", "until revoked"),
  sessions: store(
    "Browsers, with IP address",
    "30 days after the last use, 90 at most",
    "sessions",
  ),
  half_sign_ins: store("Sign-ins that need a second factor", "10 minutes", "half sign-ins"),
  one_time_links: store("Hashes of emailed links", "a week after they expire", "mailed links"),
  interrupted_forms: store("Encrypted forms, sent while logged out", "an hour", "held forms"),
  authenticators: store("Encrypted secrets of authenticator apps", "until removed"),
  recovery_codes: store("Hashes of recovery codes", "until used or removed"),
  passkeys: store("Public keys of devices", "until removed"),
  spent_challenges: store("Hashes of used challenges", "5 minutes", "signed challenges"),
  chosen_mails: store("Choices of emails", "with the account"),
  consents: store("Proofs of consents", "permanently, without an account by a hash of the address"),

  // Reviews
  review_drafts: store("Unpaid materials and briefs", "until bought, or with the account"),
  review_orders: store("Materials and briefs as they were paid for", "with the order"),
  service_reviews: store("Reviews: materials, feedback and dates", "with the account"),
  review_assignments: store("Who reviews what, and unsent feedback", "with the review"),
  review_images: store("Screenshots with remarks", "with the review"),
  review_files: store("Returned files", "with the review"),
  review_briefs: store("Briefs: role, company and years", "with the review"),
  review_questions: store("Questions of a brief and their answers", "with the review"),
  review_ratings: store("Ratings, with a text", "with the review"),
  review_remarks: store("Remarks on pages", "with the review"),
  review_scores: store("Scores by criterion", "with the review"),
  review_shares: store("Links to reviews", "30 days at most", "links to reviews"),
  reviewer_availability: store("When reviewers are away", "with the account"),
  reviewer_profiles: store("Introductions of reviewers", "with the account"),
  reviewer_phrases: store("Texts that a reviewer often uses", "until deleted"),
  stored_files: store(
    "Uploaded and returned files",
    "a day after nothing refers to them",
    "unused files",
  ),
  rendered_files: store("States of rendering", "with the file", "pages of earlier renderers"),
  review_pages: store(
    "Pages of files with their text",
    "with the file",
    "pages of earlier renderers",
  ),

  // Payments
  orders: store(
    "Payments; the fields sent to the provider, with name, address and phone, for 180 days",
    "RETENTION_YEARS_ORDERS",
    "orders without an account",
  ),
  order_events: store(
    "What the provider and people said about an order; personal details for 180 days",
    "with the order",
    "personal details of orders",
  ),
  refunds: store("Refunds, with reason and answer", "with the order"),

  // Jobs and companies
  jobs: store("Listings, with their contact", "until deleted"),
  job_checks: store("Who said that a job is open", "with the listing"),
  job_days: store("Views and presses, as numbers", "400 days", "figures of listings"),
  board_counts: store("Numbers of open jobs", "until counted again"),
  search_words: store("Words of open listings", "until counted again"),
  reply_records: store("Numbers of replies by company and week", "until counted again"),
  stopped_contacts: store("Hashes of removed contacts", "permanently"),
  places: store("Cities, states and countries", "permanently"),
  companies: store(
    "Companies and their pages",
    "until hidden; unconfirmed: 48 hours",
    "unconfirmed companies",
  ),
  company_members: store(
    "Who posts for a company, with work email",
    "until they leave; unconfirmed: 48 hours",
    "unconfirmed companies",
  ),
  company_invitations: store("Invited work emails", "a week", "unconfirmed companies"),
  company_changes: store("Unpublished changes of a company's page", "until decided"),
  company_logos: store("Logos", "with the company"),
  job_submissions: store("Listings that companies write", "the text until published or discarded"),
  job_sources: store("Sources of imported listings", "with the company"),
  job_reports: store(
    "Reports on listings; who reported and the text for 180 days",
    "permanently, without the reporter",
    "reports on listings",
  ),
  contact_questions: store("Questions to contacts", "30 days", "questions to contacts"),
  contact_mentions: store("Texts that may name a removed contact", "until an admin decides"),

  // People who look for a job
  tracked_jobs: store("Saved jobs, with notes", "until removed"),
  tracked_events: store("Changes of their state", "with the saved job"),
  reply_answers: store("If a company replied", "until counted, or with the saved job"),
  closing_mails: store("Emails about closing jobs", "with the account"),
  message_links: store("The review that a message links to", "with the account"),
  alerts: store("Searches by email", "30 days after they stop", "job alerts"),

  // Support and the product
  contact_messages: store("Messages to us", "a year; suspected spam: 30 days", "messages to us"),
  contact_answers: store("Replies to them", "with the message", "messages to us"),
  answer_templates: store("Saved replies of admins", "until deleted"),
  mails: store("Emails; the text until sent", "30 days", "mails"),
  audit_events: store("The history of changes", "permanently"),
  rate_limits: store("Counts of attempts by network, address or device", "2 days", "counted tries"),
  leases: store("Work that one process does at a time", "until done", "leases"),
  milestones: store("Points in time", "permanently"),
};

/** Lists the names of all tables in the database, sorted. */
export function listTableNames(): string[] {
  return Object.values<unknown>(schema)
    .flatMap((table) => (is(table, PgTable) ? getTableName(table) : []))
    .toSorted();
}

function store(holds: string, howLong: string, deletedBy: string | null = null): Retention {
  return { holds, howLong, deletedBy };
}
