import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { lt } from "drizzle-orm";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { hour, minute, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, purge } from "../../platform/database.server.ts";
import { hashToken } from "../session.server.ts";
import { spentChallenges } from "../tables.server.ts";

/** What a challenge is for, so that an answer to one is none to another. */
export type Purpose = "sign-in" | `add:${string}`;

type Settings = Pick<Config, "origin" | "secret">;

/** A page may stand open for a while before its passkey is chosen. */
const lifetime = hour;
/** For so long a browser waits for its person, in milliseconds. */
export const patience = 5 * minute;
/** In bytes: random ones, the moment of its end, and the mark that it is ours. */
const [randomLength, momentLength, markLength] = [16, 6, 32];

/**
 * Makes a challenge that proves by itself to be ours: whoever has no account makes us keep nothing by
 * asking for one.
 */
export function newChallenge(settings: Settings, purpose: Purpose): Buffer<ArrayBuffer> {
  const moment = Buffer.alloc(momentLength);
  moment.writeUIntBE(now().getTime() + lifetime, 0, momentLength);
  const said = Buffer.concat([randomBytes(randomLength), moment]);
  return Buffer.concat([said, markOf(settings, purpose, said)]);
}

/** Whether a challenge, as a browser sends it back, is one of ours for the purpose, and not over. */
export function isOurChallenge(settings: Settings, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, "base64url");
  const saidLength = randomLength + momentLength;
  if (bytes.length !== saidLength + markLength) return false;
  const [said, mark] = [bytes.subarray(0, saidLength), bytes.subarray(saidLength)];
  if (!timingSafeEqual(mark, markOf(settings, purpose, said))) return false;
  return said.readUIntBE(randomLength, momentLength) > now().getTime();
}

function markOf({ secret }: Settings, purpose: Purpose, said: Buffer): Buffer {
  return createHmac("sha256", secret).update(`passkey\n${purpose}\n`).update(said).digest();
}

/** Spends a challenge; false where it was spent before: of two at once one gets true. */
export async function spendChallenge(tx: Database, challenge: string): Promise<boolean> {
  const expiresAt = new Date(now().getTime() + lifetime);
  const spent = await tx
    .insert(spentChallenges)
    .values({ challengeHash: hashToken(challenge), expiresAt })
    .onConflictDoNothing()
    .returning({ challengeHash: spentChallenges.challengeHash });
  return spent.length > 0;
}

/** Forgets challenges that are over by themselves, and tells how many. */
export function forgetSpentChallenges(db: Database): Promise<number> {
  const { challengeHash, expiresAt } = spentChallenges;
  return purge(db, spentChallenges, challengeHash, lt(expiresAt, now()));
}

/** What a browser asks its passkeys: any that it has for us, if its device makes sure of the person. */
export function passkeyRequest(
  settings: Settings,
): Omit<PublicKeyCredentialRequestOptionsJSON, "extensions"> {
  return {
    challenge: newChallenge(settings, "sign-in").toString("base64url"),
    rpId: rpIdOf(settings),
    userVerification: "required",
    timeout: patience,
  };
}

/** The name that passkeys are bound to: the host of our origin. */
export function rpIdOf({ origin }: Pick<Config, "origin">): string {
  return new URL(origin).hostname;
}
