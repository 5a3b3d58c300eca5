import { eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { staffRoles } from "../../../app/accounts/tables.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import type { Sender } from "../inventory/permissions.ts";
import type { RunningApp } from "../product/running.ts";
import { people, person } from "./people.ts";
import { setBan, tomorrow } from "./admin-things.ts";

export type SignedInSenders = Record<Exclude<Sender, "visitor">, Actor>;

/** Creates all senders. `former` and `banned` have every role until {@link signInSenders}. */
export async function makeSenders(db: Database) {
  const who = await people(db);
  const roles = ["god_admin", "job_board_adder", "reviewer"] as const;
  const actors: SignedInSenders = {
    owner: who.asha,
    customer: who.ravi,
    subscriber: who.sonia,
    adder: who.devi,
    "other adder": who.omar,
    reviewer: who.meera,
    "other reviewer": who.kabir,
    admin: who.gita,
    former: await person(db, "Farah Khan", { roles: [...roles] }),
    banned: await person(db, "Bala Rao", { roles: [...roles], subscribed: true }),
  };
  return { who, actors };
}

/** Opens a session for each, then removes the roles of `former` and bans `banned`. */
export async function signInSenders(
  { db, cookieOf }: RunningApp,
  actors: SignedInSenders,
): Promise<Map<Sender, string>> {
  const cookies = new Map<Sender, string>();
  for (const [sender, actor] of Object.entries(actors))
    cookies.set(sender as Sender, await cookieOf(actor));
  await db.delete(staffRoles).where(eq(staffRoles.userId, actors.former.id));
  await setBan(db, actors.banned.id, tomorrow());
  return cookies;
}
