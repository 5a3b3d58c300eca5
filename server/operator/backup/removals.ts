/**
 * The list of closed accounts and removed contacts beside the backups. Lines are only added, so that a restore of an older
 * backup can repeat what people asked for since. It has ids and hashes, and no names or addresses.
 */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, inArray, isNotNull, or } from "drizzle-orm";
import { users } from "../../../app/accounts/tables.server.ts";
import { listAddresses } from "../../../app/jobs/contact/addresses-and-phones.ts";
import { listContactHashes } from "../../../app/jobs/contact/contact-address.server.ts";
import { jobs, stoppedContacts } from "../../../app/jobs/tables.server.ts";
import { clearContactOf } from "../../../app/checks/question/own-contact.server.ts";
import {
  closeAccountAgain,
  setLaterPurge,
} from "../../../app/own-data/closing/close-again.server.ts";
import type { Config } from "../../../app/platform/config.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";

/** A closed account, one that was restored later, or a removed contact. */
type Removal = { kind: "closed" | "restored" | "contact"; id: string; at: string };

const listFile = "removals.jsonl";

/**
 * Adds what happened since the last call to the list beside the backups.
 *
 * @param folder the folder of the backups, which must exist
 * @returns the number of added lines
 */
export async function addRemovals(db: Database, folder: string): Promise<number> {
  const listed = await readRemovals(folder);
  const present = new Set(listed.map(toKey));
  const closed = await db
    .select({ id: users.id, at: users.closedAt })
    .from(users)
    .where(isNotNull(users.closedAt));
  const contacts = await db
    .select({ id: stoppedContacts.contactHash, at: stoppedContacts.at })
    .from(stoppedContacts)
    .where(eq(stoppedContacts.reason, "withdrawn"));
  const now: Removal[] = [
    ...closed.map(({ id, at }) => ({ kind: "closed" as const, id, at: at!.toISOString() })),
    ...contacts.map(({ id, at }) => ({ kind: "contact" as const, id, at: at.toISOString() })),
  ];
  const isClosed = new Set(closed.map(({ id }) => id));
  const restored = [...getLastStates(listed).values()]
    .filter(({ kind, id }) => kind === "closed" && !isClosed.has(id))
    .map(({ id, at }) => ({ kind: "restored" as const, id, at }));
  const added = [...now.filter((removal) => !present.has(toKey(removal))), ...restored];
  const lines = added.map((removal) => `${JSON.stringify(removal)}\n`).join("");
  // The first line break ends a line that a crash left unfinished.
  if (lines) await appendFile(join(folder, listFile), `\n${lines}`, { mode: 0o600, flush: true });
  return added.length;
}

/**
 * Repeats the closings and removals of the list in a restored database. Doing it again changes nothing.
 *
 * @returns the number of accounts that were closed again
 */
export async function applyRemovalsAgain(
  db: Database,
  config: Pick<Config, "origin" | "product" | "secrets">,
  folder: string,
): Promise<number> {
  const removals = await readRemovals(folder);
  await removeContactsAgain(db, config, removals);
  let repeated = 0;
  for (const { kind, id, at } of getLastStates(removals).values())
    if (kind === "restored") await setLaterPurge(db, id);
    else if (await closeAccountAgain(db, config, { userId: id, closedAt: new Date(at) }))
      repeated++;
  return repeated;
}

async function removeContactsAgain(
  db: Database,
  config: Pick<Config, "secrets">,
  removals: Removal[],
): Promise<void> {
  const removed = removals.filter(({ kind }) => kind === "contact");
  if (removed.length === 0) return;
  const hashes = new Set(removed.map(({ id }) => id));
  const listings = await db
    .selectDistinct({ pocContact: jobs.pocContact, checkEmail: jobs.checkEmail })
    .from(jobs)
    .where(or(isNotNull(jobs.pocContact), isNotNull(jobs.checkEmail)));
  const addresses = new Set(
    listings.flatMap(({ pocContact, checkEmail }) => [
      ...listAddresses(pocContact),
      ...listAddresses(checkEmail),
    ]),
  );
  for (const email of addresses)
    if (listContactHashes(config, email).some((hash) => hashes.has(hash)))
      await db.transaction((tx) => clearContactOf(tx, { email }, config));
  // Also those that no listing of the backup names, so that nobody publishes them again.
  await db.transaction(async (tx) => {
    const withdrawn = removed.map(({ id, at }) => ({
      contactHash: id,
      reason: "withdrawn" as const,
      at: new Date(at),
    }));
    await tx.delete(stoppedContacts).where(inArray(stoppedContacts.contactHash, [...hashes]));
    for (const contact of withdrawn)
      await tx.insert(stoppedContacts).values(contact).onConflictDoNothing();
  });
}

async function readRemovals(folder: string): Promise<Removal[]> {
  const text = await readFile(join(folder, listFile), "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  });
  // A crash can leave half of the last line, which the next call adds again.
  return text.split("\n").flatMap((line) => {
    try {
      return line ? [JSON.parse(line) as Removal] : [];
    } catch {
      return [];
    }
  });
}

/** Returns the last line of each account. */
function getLastStates(removals: Removal[]): Map<string, Removal> {
  return new Map(
    removals.filter(({ kind }) => kind !== "contact").map((removal) => [removal.id, removal]),
  );
}

const toKey = ({ kind, id, at }: Removal) => `${kind} ${id} ${at}`;
