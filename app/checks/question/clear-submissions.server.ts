import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { DraftFields } from "../../posting/rules.ts";
import { jobSources, jobSubmissions } from "../../posting/tables.server.ts";
import { createEraser, type PersonTexts } from "./erase-person.ts";
import { toSqlArray } from "./listings-of-contact.server.ts";

const askAgain = "Its contact asked us to remove their name. Please name another person.";

/**
 * Erases a contact's fields, address and numbers from the listings that companies haven't published. One that waits for an
 * admin or a payment returns to its company, since nobody is left to ask. The source of an imported one forgets an address
 * with them.
 *
 * @param contacts the address, and the numbers as keys
 */
export async function clearSubmissions(
  tx: Database,
  { email, phones }: PersonTexts,
  contacts: string[],
): Promise<void> {
  // Others may have the same name, and nobody sees these texts before an admin has read them.
  const { eraseState } = createEraser({ email, names: [], phones });
  const text = sql`contacts_in(regexp_replace(${jobSubmissions.fields}::text, '\\\\[nrt]', ' ', 'g'))`;
  const naming = await tx
    .select({
      id: jobSubmissions.id,
      fields: jobSubmissions.fields,
      state: jobSubmissions.state,
      version: jobSubmissions.version,
    })
    .from(jobSubmissions)
    .where(
      and(
        inArray(jobSubmissions.state, ["draft", "waiting", "returned", "payable"]),
        sql`${text} && ${toSqlArray(contacts, "text")}`,
      ),
    )
    .orderBy(asc(jobSubmissions.id))
    .for("update");
  for (const { id, fields, state, version } of naming)
    await tx
      .update(jobSubmissions)
      .set({
        fields: eraseState(fields) as Partial<DraftFields>,
        version: version + 1,
        updatedAt: now(),
        ...((state === "waiting" || state === "payable") && {
          state: "returned" as const,
          reason: askAgain,
          price: null,
          payableUntil: null,
        }),
      })
      .where(eq(jobSubmissions.id, id));
  await tx
    .update(jobSources)
    .set({ url: null })
    .where(sql`contacts_in(${jobSources.url}) && ${toSqlArray(contacts, "text")}`);
}
