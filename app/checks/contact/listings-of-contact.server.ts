import { type SQL, sql } from "drizzle-orm";

/**
 * The addresses in a listing, in SQL, for `db/online-indexes.ts` and for queries that use its index. A new definition
 * needs a new name of the index.
 */
export const jobEmails = `emails_in(coalesce(check_email, '') || ' ' || coalesce(poc_contact, '') || ' ' ||
  coalesce(direct_application_link, '') || ' ' || coalesce(portal_application_link, '') || ' ' ||
  coalesce(compensation, '') || ' ' || description || ' ' || coalesce(large_description, ''))`;

/** The addresses in an audit event, in SQL, also for an index. A line break in JSON is a backslash and a letter. */
export const auditEmails = `emails_in(regexp_replace(coalesce(before::text, '') || ' ' || coalesce(after::text, ''),
  '\\\\[nrt]', ' ', 'g'))`;

/** True in SQL for a listing that names an address anywhere. Use it in queries of jobs only. */
export function hasAddress(email: string): SQL {
  return sql`${sql.raw(jobEmails)} @> array[${email}]`;
}

/** True in SQL for an audit event of a job that names an address. Use it in queries of audit events only. */
export function isEventWithAddress(email: string): SQL {
  return sql`subject_type = 'job' and ${sql.raw(auditEmails)} @> array[${email}]`;
}
