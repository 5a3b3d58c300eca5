import { desc, eq, lt, sql } from "drizzle-orm";
import { mails } from "../../../app/mail/tables.server.ts";
import { hour, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

/** Lists the mails to an address, newest first. Of one millisecond, the last one that was stored comes first. */
export async function mailsTo(db: Database, address: string) {
  return db
    .select()
    .from(mails)
    .where(eq(mails.recipient, address))
    .orderBy(desc(mails.createdAt), sql`ctid desc`);
}

/** Deletes the demo data's mails, for tests that count all mails. */
export async function deleteDemoMails(db: Database): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, new Date(now().getTime() - hour)));
}

/** Lists the links below a path in the newest mail to an address, each once. */
export async function linksMailedTo(db: Database, address: string, path: string): Promise<URL[]> {
  const [mail] = await mailsTo(db, address);
  const found = mail?.text.match(/https?:\/\/[^\s<>]+/g) ?? [];
  return [...new Set(found)]
    .map((link) => new URL(link))
    .filter((link) => link.pathname.startsWith(path));
}

/**
 * Returns the link in the newest mail to an address, as its reader opens it.
 *
 * @param path the start of its path; if absent, the link has a one-time token of an account in its query
 */
export async function linkMailedTo(db: Database, address: string, path?: string): Promise<URL> {
  const links = await linksMailedTo(db, address, path ?? "/");
  const link = links.find(({ searchParams }) => path || searchParams.has("token_hash"));
  if (!link) throw new Error(`No link was mailed to ${address}.`);
  return link;
}

/** Returns the token of the link in the newest mail to an address. */
export async function tokenMailedTo(db: Database, address: string, path?: string): Promise<string> {
  const { pathname, searchParams } = await linkMailedTo(db, address, path);
  return path ? pathname.slice(path.length) : (searchParams.get("token_hash") ?? "");
}
