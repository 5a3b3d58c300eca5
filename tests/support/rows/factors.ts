import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { buildTotp } from "../../../app/accounts/second-factor/authenticator.server.ts";
import { sealSecret } from "../../../app/accounts/factor-keys.server.ts";
import { hashToken, openSession } from "../../../app/accounts/session.server.ts";
import { authenticators, passkeys, sessions } from "../../../app/accounts/tables.server.ts";
import type { AppContext } from "../../../app/platform/app-context.server.ts";
import { now, second } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

type Site = Pick<AppContext, "db" | "config">;
type Someone = Pick<Actor, "id"> | null;

/** A person's authenticator app. Each code works once; `later` skips steps of 30 seconds. */
export type App = { code(later?: number): string };

/** Starts an app's setup for a person and replaces any other. Visitors get no app. */
export function beginsApp(site: Site, person: Someone): Promise<App> {
  return insertApp(site, person, null);
}

/** Sets up an app for a person and replaces any other. Visitors get no app. */
export function hasApp(site: Site, person: Someone): Promise<App> {
  return insertApp(site, person, now());
}

async function insertApp(
  { db, config }: Site,
  person: Someone,
  confirmedAt: Date | null,
): Promise<App> {
  const secret = randomBytes(20);
  if (person) {
    const { id: userId } = person;
    await db.delete(authenticators).where(eq(authenticators.userId, userId));
    const sealed = sealSecret(config.secondFactorKeys, userId, secret);
    await db.insert(authenticators).values({ userId, ...sealed, createdAt: now(), confirmedAt });
  }
  return {
    code: (later = 0) =>
      buildTotp(secret).generate({ timestamp: now().getTime() + later * 30 * second }),
  };
}

/** Creates a passkey without a device. Visitors get a random id. */
export async function sparePasskey(db: Database, person: Someone): Promise<string> {
  if (!person) return randomUUID();
  const credentialId = randomUUID();
  const own = { userId: person.id, credentialId, publicKey: Buffer.alloc(77), counter: 0 };
  const [row] = await db
    .insert(passkeys)
    .values({ ...own, transports: ["internal"], name: "Phone", createdAt: now() })
    .returning();
  return row!.id;
}

/** Creates another session for a person. Visitors get a random id. */
export async function spareSession(db: Database, person: Someone): Promise<string> {
  if (!person) return randomUUID();
  const { token } = await openSession(db, person.id);
  const [row] = await db
    .select()
    .from(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)));
  return row!.id;
}
