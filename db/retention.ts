/** The time for which the rows of a table are stored. */
type Retention = {
  /** The content of the rows. */
  holds: string;
  /** The time. */
  howLong: string;
  /** The kind of expired data that deletes them, as `npm run admin -- retention` counts it; null if none does. */
  deletedBy: string | null;
  /** The effect of closing an account on a person's rows, by its purge or at once; null if none are a person's. */
  closing: string | null;
};

/** A row for each table of the database, by its name there. `db/retention.test.ts` fails if one is missing. */
export const retention: Record<string, Retention> = {
  // People
  users: store("Names, addresses and bans", "with the account", {
    by: "unconfirmed accounts",
    closing: "emptied: an id, without name and address",
  }),
  sealed_accounts: store("Names and addresses of closed accounts", "two weeks after closing", {
    by: "closed accounts",
    closing: "deleted",
  }),
  accounts: store("Hashes of passwords", "with the account", { closing: "deleted" }),
  profiles: store("Names, phone numbers, links to work and subscriptions", "with the account", {
    closing: "emptied",
  }),
  staff_roles: store("Roles of staff", "until revoked", { closing: "deleted at once" }),
  sessions: store("Browsers, with IP address", "30 days after the last use, 90 at most", {
    by: "sessions",
    closing: "deleted at once",
  }),
  account_uses: store("The last day of use, and when they were warned", "with the account", {
    closing: "deleted",
  }),
  half_sign_ins: store("Sign-ins that need a second factor", "10 minutes", {
    by: "half sign-ins",
    closing: "deleted at once",
  }),
  address_changes: store("Changes of addresses, with the earlier one", "a week", {
    by: "changed addresses",
    closing: "deleted at once",
  }),
  data_exports: store("Exports of own data; the file for 7 days", "two weeks", {
    by: "exports of own data",
    closing: "deleted at once",
  }),
  one_time_links: store("Hashes of emailed links", "a week after they expire", {
    by: "mailed links",
    closing: "deleted at once",
  }),
  interrupted_forms: store("Encrypted forms, sent while logged out", "an hour", {
    by: "held forms",
    closing: "kept for its hour: only a browser has the key",
  }),
  authenticators: store("Encrypted secrets of authenticator apps", "until removed", {
    closing: "deleted",
  }),
  recovery_codes: store("Hashes of recovery codes", "until used or removed", {
    closing: "deleted",
  }),
  passkeys: store("Public keys of devices", "until removed", { closing: "deleted" }),
  spent_challenges: store("Hashes of used challenges", "5 minutes", { by: "signed challenges" }),
  chosen_mails: store("Choices of emails", "with the account", { closing: "deleted" }),
  consents: store(
    "Proofs of consents",
    "permanently, without an account by a hash of the address",
    { closing: "deleted" },
  ),

  // Reviews
  review_drafts: store("Unpaid materials and briefs", "until bought, or with the account", {
    closing: "deleted",
  }),
  black_outs: store("Boxes that a customer blacked out", "with the copy of the file", {
    closing: "deleted with the copy",
  }),
  review_orders: store("Materials and briefs as they were paid for", "with the order", {
    closing: "emptied",
  }),
  service_reviews: store("Reviews: materials, feedback and dates", "with the account", {
    closing: "emptied: keeps dates and type",
  }),
  review_assignments: store("Who reviews what, the fee, and unsent feedback", "with the review", {
    closing: "emptied: keeps dates and the fee",
  }),
  review_days: store("Numbers of completed reviews by day and hours", "permanently"),
  review_images: store("Screenshots with remarks", "with the review", { closing: "deleted" }),
  review_files: store("Returned files", "with the review", { closing: "deleted" }),
  review_briefs: store("Briefs: role, company, years and wish", "with the review", {
    closing: "deleted",
  }),
  review_questions: store("Questions of a brief and their answers", "with the review", {
    closing: "deleted",
  }),
  follow_up_questions: store(
    "The question after a review and its answer, also as drafts",
    "with the review",
    { closing: "deleted; answers to other people's questions stay" },
  ),
  handed_back_drafts: store(
    "What reviewers wrote before they handed a review back, and why they did",
    "until the review is submitted, 30 days at most",
    {
      by: "handed back drafts",
      closing: "deleted; drafts on other people's reviews stay, without the note",
    },
  ),
  review_ratings: store("Ratings, with a text", "with the review", {
    closing: "emptied: keeps the number",
  }),
  review_remarks: store("Remarks on pages", "with the review", {
    closing: "deleted; remarks on other people's reviews stay",
  }),
  remark_outcomes: store("Findings of second looks for earlier remarks", "with the review", {
    closing: "deleted with the remarks",
  }),
  review_scores: store("Scores by criterion", "with the review", {
    closing: "kept: numbers, for the figures",
  }),
  review_shares: store("Links to reviews", "30 days at most", {
    by: "links to reviews",
    closing: "ended at once, and deleted",
  }),
  reviewer_availability: store("When reviewers are away", "with the account", {
    closing: "deleted",
  }),
  reviewer_profiles: store("Introductions of reviewers, and what they know", "with the account", {
    closing: "deleted",
  }),
  payouts: store("What reviewers were paid by month, with the bank's reference", "permanently", {
    closing: "kept, as tax law requires, by an id without a name",
  }),
  reviewer_pans: store("Encrypted PANs of reviewers", "8 years after the last payout", {
    by: "PANs of reviewers",
    closing: "kept until 8 years after the last payout, as tax law requires",
  }),
  reviewer_phrases: store("Texts that a reviewer often uses", "until deleted", {
    closing: "deleted",
  }),
  stored_files: store(
    "Uploaded and returned files",
    "a day after nothing refers to them; the original of a blacked-out copy: 30 days after its review",
    {
      by: "unused files",
      closing: "deleted; files returned to other people stay",
    },
  ),
  file_views: store("Who opened a customer's file, by day", "a year", {
    by: "views of files",
    closing: "deleted with their files; as a viewer kept, by an id without a name",
  }),
  rendered_files: store("States of rendering", "with the file", {
    by: "pages of earlier renderers",
    closing: "deleted",
  }),
  review_pages: store("Pages of files with their text", "with the file", {
    by: "pages of earlier renderers",
    closing: "deleted",
  }),

  // Payments
  orders: store(
    "Payments; the fields sent to the provider, with name, address and phone, for 180 days",
    "RETENTION_YEARS_ORDERS",
    {
      by: "orders without an account",
      closing:
        "kept for 180 days after settling with the name, then without it, as tax law requires",
    },
  ),
  order_events: store(
    "What the provider and people said about an order; personal details for 180 days",
    "with the order",
    {
      by: "personal details of orders",
      closing: "kept for 180 days after settling with personal details, then without them",
    },
  ),
  invoices: store("Invoices, with name, State and GSTIN of the buyer", "with the order", {
    by: "orders without an account",
    closing: "kept with the name, as tax law requires",
  }),
  credit_notes: store("Credit notes of refunds", "with the order", {
    by: "orders without an account",
    closing: "kept, as tax law requires",
  }),
  invoice_series: store("The last number of each series and year", "permanently"),
  refunds: store("Refunds, with reason and answer", "with the order", {
    closing: "emptied: keeps amounts and dates",
  }),

  // Jobs and companies
  jobs: store("Listings, with their contact", "until deleted", {
    closing: "kept: listings are the company's; their contact is removed at once",
  }),
  job_checks: store("Who said that a job is open", "with the listing", {
    closing: "kept, by an id without a name",
  }),
  job_days: store("Views and presses, as numbers", "400 days", { by: "figures of listings" }),
  board_counts: store("Numbers of open jobs", "until counted again"),
  search_words: store("Words of open listings", "until counted again"),
  reply_records: store("Numbers of replies by company and week", "until counted again"),
  stopped_contacts: store("Hashes of removed contacts", "permanently", {
    closing: "kept: a hash, so that the contact isn't published again",
  }),
  places: store("Cities, states and countries", "permanently"),
  companies: store("Companies and their pages", "until hidden; unconfirmed: 48 hours", {
    by: "unconfirmed companies",
    closing: "kept; hidden at once if nobody else posts for it",
  }),
  company_members: store(
    "Who posts for a company, with work email",
    "until they leave; unconfirmed: 48 hours",
    { by: "unconfirmed companies", closing: "deleted at once" },
  ),
  company_invitations: store("Invited work emails", "a week", {
    by: "unconfirmed companies",
    closing: "those they sent are deleted at once",
  }),
  company_changes: store("Unpublished changes of a company's page", "until decided", {
    closing: "kept: the company's text",
  }),
  company_logos: store("Logos", "with the company", { closing: "kept: the company's" }),
  job_submissions: store("Listings that companies write", "the text until published or discarded", {
    closing: "kept: the company's text",
  }),
  job_sources: store("Sources of imported listings", "with the company"),
  job_reports: store(
    "Reports on listings; who reported and the text for 180 days",
    "permanently, without the reporter",
    {
      by: "reports on listings",
      closing: "emptied; the text of an open report stays until 180 days after the decision",
    },
  ),
  contact_questions: store("Questions to contacts", "30 days", {
    by: "questions to contacts",
    closing: "emptied at once",
  }),
  contact_mentions: store("Texts that may name a removed contact", "until an admin decides", {
    closing: "kept until an admin decides",
  }),

  // People who look for a job
  tracked_jobs: store("Saved jobs, with notes", "until removed", { closing: "deleted" }),
  tracked_events: store("Changes of their state", "with the saved job", { closing: "deleted" }),
  reply_answers: store("If a company replied", "until counted, or with the saved job", {
    closing: "emptied: counts without the person",
  }),
  closing_mails: store("Emails about closing jobs", "with the account", { closing: "deleted" }),
  message_links: store("The review that a message links to", "with the account", {
    closing: "deleted",
  }),
  alerts: store("Searches by email", "30 days after they stop", {
    by: "job alerts",
    closing: "stopped at once, and deleted",
  }),

  // Support and the product
  contact_messages: store("Messages to us", "a year; suspected spam: 30 days", {
    by: "messages to us",
    closing: "deleted; an open complaint is kept until it is settled",
  }),
  contact_answers: store("Replies to them", "with the message", {
    by: "messages to us",
    closing: "deleted; those of an open complaint are kept until it is settled",
  }),
  answer_templates: store("Saved replies of admins", "until deleted"),
  mails: store("Emails; the text until sent", "30 days", { by: "mails", closing: "deleted" }),
  audit_events: store("The history of changes", "permanently", {
    closing: "emptied: keeps what was done, without the name",
  }),
  rate_limits: store("Counts of attempts by network, address or device", "2 days", {
    by: "counted tries",
    closing: "deleted; counts by network are kept for their 2 days",
  }),
  leases: store("Work that one process does at a time", "until done", { by: "leases" }),
  milestones: store("Points in time", "permanently"),
};

function store(
  holds: string,
  howLong: string,
  { by, closing }: { by?: string; closing?: string } = {},
): Retention {
  return { holds, howLong, deletedBy: by ?? null, closing: closing ?? null };
}
