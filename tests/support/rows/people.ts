import { randomUUID } from "node:crypto";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { toRoleFlags, type StaffRole } from "../../../app/accounts/roles.ts";
import { recordConsent } from "../../../app/accounts/consents/consents.server.ts";
import { neededPurposes } from "../../../app/accounts/consents/rules.ts";
import { signIn } from "../../../app/accounts/sign-in/sign-in.server.ts";
import { accounts, profiles, staffRoles, users } from "../../../app/accounts/tables.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { now } from "../../../app/platform/clock.ts";

/** Creates confirmed people without passwords: customers, staff of each role and a subscriber. */
export async function people(db: Database) {
  return {
    asha: await person(db, "Asha Verma"),
    ravi: await person(db, "Ravi Nair"),
    meera: await person(db, "Meera Iyer", { roles: ["reviewer"] }),
    kabir: await person(db, "Kabir Shah", { roles: ["reviewer"] }),
    devi: await person(db, "Devi Rao", { roles: ["job_board_adder"] }),
    omar: await person(db, "Omar Khan", { roles: ["job_board_adder"] }),
    gita: await person(db, "Gita Menon", { roles: ["god_admin"] }),
    sonia: await person(db, "Sonia Dutta", { subscribed: true }),
  };
}

export type Everybody = Awaited<ReturnType<typeof people>>;

/** Creates one confirmed person, who accepted the current privacy notice. */
export async function person(
  db: Database,
  fullName: string,
  { roles = [], subscribed = false }: { roles?: StaffRole[]; subscribed?: boolean } = {},
): Promise<Actor> {
  const id = randomUUID();
  const email = `${fullName.toLowerCase().replaceAll(" ", ".")}.${id.slice(-12)}@example.com`;
  const createdAt = now();
  await db
    .insert(users)
    .values({ id, name: fullName, email, emailVerified: true, createdAt, updatedAt: createdAt });
  await db
    .insert(profiles)
    .values({ id, fullName, createdAt, isSubscribed: subscribed })
    .onConflictDoNothing();
  if (roles.length > 0) {
    await db.insert(staffRoles).values(roles.map((role) => ({ userId: id, role, createdAt })));
  }
  for (const purpose of neededPurposes)
    await recordConsent(db, { userId: id }, { purpose, how: "sign-up" });
  return {
    id,
    email,
    fullName,
    hasActiveSubscription: subscribed,
    sessionId: randomUUID(),
    isProved: true,
    factorDueAt: null,
    ...toRoleFlags(roles),
  };
}

/** Sets a person's password hash; null for an account without a password. */
export async function givePassword(
  db: Database,
  { id }: Pick<Actor, "id">,
  passwordHash: string | null,
): Promise<void> {
  const at = { createdAt: now(), updatedAt: now() };
  await db.insert(accounts).values({ userId: id, ...at, password: passwordHash });
}

/** Signs in with a password only. @throws {Error} if a second step is required */
export async function signedIn(...asked: Parameters<typeof signIn>) {
  const answer = await signIn(...asked);
  if ("half" in answer) throw new Error("The account requires a second step.");
  return answer;
}
