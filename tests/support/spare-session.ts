import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { hashToken, openSession } from "../../app/accounts/session.server.ts";
import { sessions } from "../../app/accounts/tables.server.ts";
import type { Database } from "../../app/platform/database.server.ts";

/** A session of a person beside the one that they act in; nobody has none. */
export async function spareSession(
  db: Database,
  person: Pick<Actor, "id"> | null,
): Promise<string> {
  if (!person) return randomUUID();
  const { token } = await openSession(db, person.id);
  const [row] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)));
  return row!.id;
}
