import { lt } from "drizzle-orm";
import { day, now } from "../platform/clock.ts";
import { type Database, purge } from "../platform/database.server.ts";
import { mails } from "./tables.server.ts";

const keptFor = 30 * day;

/** Forgets mails a month after they were written, whatever became of them. */
export async function forgetOldMails(db: Database): Promise<void> {
  const before = new Date(now().getTime() - keptFor);
  await purge(db, mails, mails.id, lt(mails.createdAt, before));
}
