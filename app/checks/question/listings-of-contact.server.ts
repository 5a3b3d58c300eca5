import { type SQL, sql } from "drizzle-orm";

/**
 * The addresses and phone numbers in a listing, in SQL, for `db/online-indexes.ts` and for queries that use its index. A
 * new definition needs a new name of the index.
 */
const jobContacts = `contacts_in(coalesce(check_email, '') || ' ' || coalesce(poc_name, '') || ' ' ||
  coalesce(poc_contact, '') || ' ' || coalesce(direct_application_link, '') || ' ' ||
  coalesce(portal_application_link, '') || ' ' || coalesce(compensation, '') || ' ' || title || ' ' || company || ' ' ||
  location || ' ' || description || ' ' || coalesce(large_description, ''))`;

/** The same in an audit event, also for an index. A line break in JSON is a backslash and a letter. */
const auditContacts = `contacts_in(regexp_replace(coalesce(before::text, '') || ' ' || coalesce(after::text, ''),
  '\\\\[nrt]', ' ', 'g'))`;

/** True in SQL for a listing that names an address anywhere. Use it in queries of jobs only. */
export function hasAddress(email: string): SQL {
  return hasContact([email]);
}

/** True in SQL for a listing that names one of these addresses and numbers anywhere. Use it in queries of jobs only. */
export function hasContact(contacts: string[]): SQL {
  return sql`${sql.raw(jobContacts)} && ${toSqlArray(contacts, "text")}`;
}

/** Builds an array of PostgreSQL. */
export function toSqlArray(values: string[], type: "text" | "uuid"): SQL {
  return sql`array(select json_array_elements_text(${JSON.stringify(values)}::json)::${sql.raw(type)})`;
}

/** True in SQL for an audit event of a job that names an address. Use it in queries of audit events only. */
export function isEventWithAddress(email: string): SQL {
  return sql`subject_type = 'job' and ${sql.raw(auditContacts)} && ${toSqlArray([email], "text")}`;
}
