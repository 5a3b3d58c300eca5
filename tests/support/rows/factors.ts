import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { buildTotp } from "../../../app/accounts/second-factor/authenticator.server.ts";
import { sealSecret } from "../../../app/accounts/factor-keys.server.ts";
import { hashToken, openSession } from "../../../app/accounts/session.server.ts";
import {
  addressChanges,
  authenticators,
  passkeys,
  sessions,
} from "../../../app/accounts/tables.server.ts";
import type { AppContext } from "../../../app/platform/app-context.server.ts";
import { now, second } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

type Site = Pick<AppContext, "db" | "config">;
type Someone = Pick<Actor, "id"> | null;

/**
 * A person's authenticator app. Each code works once; `later` skips steps of 30 seconds, up to 20 back or forth. These
 * codes all differ, and the wrong code is none of them.
 */
export type App = { code(later?: number): string; wrongCode(): string };

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
  const secret = createSecret();
  if (person) {
    const { id: userId } = person;
    await db.delete(authenticators).where(eq(authenticators.userId, userId));
    const sealed = sealSecret(config.secondFactorKeys, userId, secret);
    await db.insert(authenticators).values({ userId, ...sealed, createdAt: now(), confirmedAt });
  }
  return {
    code: (later = 0) => generateCode(secret, later),
    wrongCode() {
      const right = listCodes(secret);
      const digits = Array.from({ length: right.length + 1 }, (_, wrong) => `${wrong}`);
      return digits.map((wrong) => wrong.padStart(6, "0")).find((wrong) => !right.includes(wrong))!;
    },
  };
}

/** Creates a secret whose codes differ, as those of one in a thousand do not. */
function createSecret(): Buffer {
  const secret = randomBytes(20);
  const codes = listCodes(secret);
  return new Set(codes).size === codes.length ? secret : createSecret();
}

function listCodes(secret: Buffer): string[] {
  return Array.from({ length: 41 }, (_, step) => generateCode(secret, step - 20));
}

function generateCode(secret: Buffer, later: number): string {
  return buildTotp(secret).generate({ timestamp: now().getTime() + later * 30 * second });
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

/** Lets the earlier address of a person ask for their account. */
export async function askedReversal(
  db: Database,
  { id: userId, email }: Pick<Actor, "id" | "email">,
): Promise<void> {
  const at = now();
  await db.insert(addressChanges).values({
    userId,
    oldEmail: `earlier-${email}`,
    newEmail: email,
    confirmHash: randomUUID(),
    requestedAt: at,
    confirmedAt: at,
    reversalAskedAt: at,
  });
}
