import { randomUUID } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { lockCompany } from "../../companies/own-companies.server.ts";
import { companyChanges } from "../../companies/tables.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { createEraser, type PersonTexts } from "./erase-person.ts";
import { toSqlArray } from "./listings-of-contact.server.ts";

const readAgain =
  "We removed the address or number of a person who asked us to. Please read your change again.";

/**
 * Erases a contact's address and numbers from the changes of companies' pages that aren't published, and returns those that
 * wait for an admin. Locks their companies, which everyone else locks before listings.
 *
 * @param contacts the address, and the numbers as keys
 */
export async function clearPageChanges(
  tx: Database,
  { email, phones }: PersonTexts,
  contacts: string[],
): Promise<void> {
  // A name alone may be another person's, as in drafts of listings.
  const { eraseText } = createEraser({ email, names: [], phones });
  const naming = sql`contacts_in(concat_ws(' ', ${companyChanges.name}, ${companyChanges.about}, ${companyChanges.website},
    ${companyChanges.reason})) && ${toSqlArray(contacts, "text")}`;
  const companiesOfChanges = await tx
    .select({ companyId: companyChanges.companyId })
    .from(companyChanges)
    .where(naming)
    .orderBy(asc(companyChanges.companyId));
  for (const { companyId } of companiesOfChanges) {
    await lockCompany(tx, companyId);
    const isTheirs = eq(companyChanges.companyId, companyId);
    // After the lock, since the change may be another one or published by now.
    const [change] = await tx.select().from(companyChanges).where(isTheirs);
    if (!change) continue;
    const [name, about, website] = [change.name, change.about, change.website].map(eraseText);
    await tx
      .update(companyChanges)
      .set({
        name,
        about,
        // Half an address leads nowhere.
        ...(website !== change.website && { website: new URL(change.website).origin }),
        state: "returned",
        reason: change.reason === null ? readAgain : eraseText(change.reason),
        version: randomUUID(),
      })
      .where(isTheirs);
  }
}
