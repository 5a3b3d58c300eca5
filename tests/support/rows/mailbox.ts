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

/** Returns the link in the newest mail to an address. */
export async function linkMailedTo(db: Database, address: string): Promise<URL> {
  const [mail] = await mailsTo(db, address);
  const link = /https?:\/\/\S+token_hash=\S+/.exec(mail?.text ?? "")?.[0];
  if (!link) throw new Error(`No link was mailed to ${address}.`);
  return new URL(link);
}

/** Returns the one-time token in the newest mail to an address. */
export async function tokenMailedTo(db: Database, address: string): Promise<string> {
  return (await linkMailedTo(db, address)).searchParams.get("token_hash") ?? "";
}
