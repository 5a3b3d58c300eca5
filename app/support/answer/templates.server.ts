import { asc, eq, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import { answerTemplates } from "../tables.server.ts";

export const maxTemplates = 50;

/** A reply that admins often send. */
export type Template = { id: string; title: string; text: string };

/** Lists the saved replies of all admins, by title. */
export async function listTemplates(db: Database, actor: Actor | null): Promise<Template[]> {
  authorize(actor, "message.answer");
  return db
    .select({
      id: answerTemplates.id,
      title: answerTemplates.title,
      text: answerTemplates.text,
    })
    .from(answerTemplates)
    .orderBy(asc(answerTemplates.title))
    .limit(maxTemplates);
}

/**
 * Saves a reply for all admins. A saved reply with the same title gets the new text.
 *
 * @throws {Conflict} when there is no room for another one.
 */
export async function saveTemplate(
  db: Database,
  actor: Actor | null,
  { title, text }: Omit<Template, "id">,
): Promise<void> {
  authorize(actor, "message.answer");
  await db.transaction(async (tx) => {
    // The lock makes concurrent saves count one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('answer-templates', 0))`);
    const [changed] = await tx
      .update(answerTemplates)
      .set({ text })
      .where(eq(answerTemplates.title, title))
      .returning({ id: answerTemplates.id });
    if (changed) return;
    if ((await tx.$count(answerTemplates)) >= maxTemplates)
      throw new Conflict(`You can save up to ${maxTemplates} replies. Delete one first.`);
    await tx.insert(answerTemplates).values({ title, text, createdAt: now() });
  });
}

/** Deletes a saved reply. Deleting it twice changes nothing. */
export async function deleteTemplate(
  db: Database,
  actor: Actor | null,
  { id }: { id: string },
): Promise<void> {
  authorize(actor, "message.answer");
  if (isUuid(id)) await db.delete(answerTemplates).where(eq(answerTemplates.id, id));
}
