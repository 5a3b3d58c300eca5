import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { toSqlArray } from "./listings-of-contact.server.ts";
import { type MentionKind, mentionKinds } from "./mention-rules.ts";

type Source = {
  table: string;
  /** The listing that a row is about, in SQL. */
  job: string;
  /** The address where staff see it, in SQL. */
  link: string;
  fields: string[];
};

type Searched = Source & {
  /** Matches the rows that are about some listings. */
  ofJobs(jobIds: SQL): SQL;
  /** Matches the rows that the contact wrote. */
  own?(email: string): SQL;
};

const listings: Source = {
  table: "jobs",
  job: "id",
  link: "'/admin/jobs?edit=' || id",
  fields: [
    "title",
    "company",
    "location",
    "compensation",
    "description",
    "large_description",
    "poc_name",
    "poc_contact",
  ],
};

/**
 * The other texts that may name a removed contact, by kind. Their tables are named in SQL, since the folder of messages and
 * this one don't import each other.
 */
const otherSources: Record<SearchedKind, Searched> = {
  report: {
    table: "job_reports",
    job: "job_id",
    // Decided reports have no screen.
    link: "case when state = 'open' then '/admin/jobs/reports' end",
    fields: ["text", "decision_reason"],
    ofJobs: (jobIds) => sql`job_id = any(${jobIds})`,
  },
  message: {
    table: "contact_messages",
    job: "job_id",
    link: "'/admin/messages/' || ticket",
    fields: ["subject", "message", "note"],
    ofJobs: (jobIds) => sql`job_id = any(${jobIds})`,
    own: (email) => sql`email = ${email}`,
  },
  answer: {
    table: "contact_answers",
    job: "(select job_id from contact_messages where contact_messages.id = message_id)",
    link: "(select '/admin/messages/' || ticket from contact_messages where contact_messages.id = message_id)",
    fields: ["answer"],
    ofJobs: (jobIds) =>
      sql`message_id in (select id from contact_messages where job_id = any(${jobIds}))`,
    own: (email) => sql`message_id in (select id from contact_messages where email = ${email})`,
  },
  company: {
    table: "companies",
    job: "null::uuid",
    // A hidden company has no page.
    link: "case when state = 'approved' then '/companies/' || slug end",
    fields: ["name", "about"],
    ofJobs: (jobIds) => sql`id in (select company_id from jobs where id = any(${jobIds}))`,
  },
};

type SearchedKind = Exclude<MentionKind, "listing">;

const searchedKinds = mentionKinds.filter((kind) => kind !== "listing");

const sources: Record<MentionKind, Source> = { listing: listings, ...otherSources };

/** The addresses and phone numbers in a row of a kind, in SQL, for `db/online-indexes.ts` and for queries. */
function buildTextContacts(kind: SearchedKind): string {
  const texts = sources[kind].fields.map((field) => `coalesce(${field}, '')`);
  return `contacts_in(${texts.join(" || ' ' || ")})`;
}

/** A row with texts that may name the contact. */
export type MentionTexts = {
  kind: MentionKind;
  id: string;
  jobId: string | null;
  texts: Record<string, string | null>;
};

type Wanted = { email: string; contacts: string[]; jobIds: string[] };

/**
 * Finds reports, messages, replies and companies' texts that are about some listings, or that have the contact's address or
 * number. Conversations of the contact themself are theirs.
 */
export async function findMentionTexts(tx: Database, query: Wanted): Promise<MentionTexts[]> {
  const mentions: MentionTexts[] = [];
  for (const kind of searchedKinds) {
    const { rows } = await tx.execute<Omit<MentionTexts, "kind">>(buildSearch(kind, query));
    mentions.push(...rows.map((row) => ({ kind, ...row })));
  }
  return mentions;
}

/** Builds the query for the texts of a kind. Each part of the union uses an index. */
export function buildSearch(kind: SearchedKind, { email, contacts, jobIds }: Wanted): SQL {
  const { table, ofJobs, own } = otherSources[kind];
  return sql`${selectTexts(kind)}
    where id in (
      select id from ${sql.identifier(table)} where ${ofJobs(toSqlArray(jobIds, "uuid"))}
      union select id from ${sql.identifier(table)}
        where ${sql.raw(buildTextContacts(kind))} && ${toSqlArray(contacts, "text")}
    ) and not (${own?.(email) ?? sql`false`})
    order by id`;
}

/** Finds the text of a mention and the address where staff see it; null if it doesn't exist any more. */
export async function findText(
  db: Database,
  { kind, subjectId, field }: { kind: MentionKind; subjectId: string; field: string },
): Promise<{ text: string; link: OwnPath | null } | null> {
  const { rows } = await db.execute<Pick<MentionTexts, "texts"> & { link: OwnPath | null }>(
    sql`${selectTexts(kind)} where id = ${subjectId}::uuid`,
  );
  const [row] = rows;
  const text = row?.texts[field];
  return row && typeof text === "string" ? { text, link: row.link } : null;
}

export async function writeText(
  tx: Database,
  { kind, subjectId, field }: { kind: MentionKind; subjectId: string; field: string },
  text: string,
): Promise<void> {
  const { table, fields } = sources[kind];
  if (!fields.includes(field)) throw new Error(`${kind} has no field ${field}`);
  await tx.execute(sql`
    update ${sql.identifier(table)} set ${sql.identifier(field)} = ${text} where id = ${subjectId}::uuid`);
}

function selectTexts(kind: MentionKind): SQL {
  const { table, job, link, fields } = sources[kind];
  const texts = fields.map((field) => `'${field}', ${field}`).join(", ");
  return sql`select id, ${sql.raw(job)} as "jobId", ${sql.raw(link)} as link, json_build_object(${sql.raw(texts)}) as texts
    from ${sql.identifier(table)}`;
}
