import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { and, count, eq, lt } from "drizzle-orm";
import type { AppContext } from "../../platform/app-context.server.ts";
import { hour, minute, now, formatShortDate, formatShortDateTime } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, isUuid, deleteRowsInSteps } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import type { Actor } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import { recordFactorChange } from "../factor-changes.server.tsx";
import { hashToken, lockPerson } from "../session.server.ts";
import { passkeys, spentChallenges } from "../tables.server.ts";

type Site = Pick<AppContext, "db" | "config">;

/** Loaded on first use, since it takes a moment and few people need it. */
const loadWebauthn = () => import("@simplewebauthn/server");

/**
 * The key algorithms as COSE numbers, preferred first: EdDSA, ES256, RS256. Node's post-quantum algorithms are
 * experimental and log a warning each time.
 */
const keyAlgorithms = [-8, -7, -257];

const mostPasskeys = 20;
const refused = "We couldn't use this passkey. Please try again.";

export type OwnPasskey = { id: string; name: string; addedOn: string; usedAt: string | null };

/** A person's passkeys, oldest first. */
export async function listPasskeys(db: Database, { id }: Pick<Actor, "id">): Promise<OwnPasskey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, id))
    .orderBy(passkeys.createdAt, passkeys.id);
  return rows.map(({ id: passkeyId, name, createdAt, lastUsedAt }) => ({
    id: passkeyId,
    name,
    addedOn: formatShortDate(createdAt),
    usedAt: lastUsedAt && formatShortDateTime(lastUsedAt),
  }));
}

/** Builds the options for creating a passkey that this person does not have yet. */
export async function buildRegistrationOptions(
  { db, config }: Site,
  actor: Pick<Actor, "id" | "email">,
) {
  const { generateRegistrationOptions } = await loadWebauthn();
  const own = await db.select().from(passkeys).where(eq(passkeys.userId, actor.id));
  const { extensions: _none, ...offer } = await generateRegistrationOptions({
    rpName: config.product.name,
    rpID: getRpId(config),
    userName: actor.email,
    userID: new Uint8Array(Buffer.from(actor.id)),
    challenge: generateChallenge(config, `add:${actor.id}`),
    timeout: promptTimeoutMs,
    supportedAlgorithmIDs: keyAlgorithms,
    excludeCredentials: own.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return offer;
}

/**
 * Adds a passkey that a browser made.
 *
 * @throws {Invalid} where it was not made for this person, here, now, or is there already.
 * @throws {Conflict} where they have as many as there may be.
 */
export async function addPasskey(
  { db, config }: Site,
  actor: Actor | null,
  { response, name }: { response: RegistrationResponseJSON; name: string },
): Promise<void> {
  authorize(actor, "factor.change");
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => isValidChallenge(config, `add:${actor.id}`, challenge),
    expectedOrigin: config.origin,
    expectedRPID: getRpId(config),
    requireUserVerification: true,
    supportedAlgorithmIDs: keyAlgorithms,
  }).catch(rejectPasskey);
  if (!verified) throw new Invalid({ "": refused });
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  await db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    const [own] = await tx
      .select({ passkeys: count() })
      .from(passkeys)
      .where(eq(passkeys.userId, actor.id));
    if ((own?.passkeys ?? 0) >= mostPasskeys)
      throw new Conflict(`You've reached the limit of ${mostPasskeys} passkeys. Remove one first.`);
    const kept = { credentialId, publicKey: Buffer.from(publicKey), counter, transports, name };
    const added = await tx
      .insert(passkeys)
      .values({ userId: actor.id, ...kept, createdAt: now() })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (added.length === 0) throw new Invalid({ "": "This passkey has already been added." });
    await recordFactorChange(tx, config, actor, "passkey.add");
  });
}

/**
 * Gives one of a person's passkeys another name.
 *
 * @throws {NotFound} for one that is not theirs.
 */
export async function renamePasskey(
  db: Database,
  actor: Actor | null,
  { id, name }: { id: string; name: string },
): Promise<void> {
  authorize(actor, "factor.change");
  const renamed = isUuid(id)
    ? await db
        .update(passkeys)
        .set({ name })
        .where(isOwnPasskey(actor, id))
        .returning({ id: passkeys.id })
    : [];
  if (renamed.length === 0) throw new NotFound(gone);
}

/**
 * Deletes one of a person's passkeys, which can no longer sign in.
 *
 * @throws {NotFound} for one that is not theirs.
 */
export async function removePasskey(
  { db, config }: Site,
  actor: Actor | null,
  id: string,
): Promise<void> {
  authorize(actor, "factor.change");
  await db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    const removed = isUuid(id)
      ? await tx.delete(passkeys).where(isOwnPasskey(actor, id)).returning({ id: passkeys.id })
      : [];
    if (removed.length === 0) throw new NotFound(gone);
    await recordFactorChange(tx, config, actor, "passkey.remove");
  });
}

const gone = "That passkey has already been removed.";

function isOwnPasskey(actor: Pick<Actor, "id">, id: string) {
  return and(eq(passkeys.id, id), eq(passkeys.userId, actor.id));
}

/**
 * Verifies what a passkey signed for us. The device has verified the person, so this replaces the password and
 * the second factor. Each signature counts once.
 *
 * @returns whose it is; their row is locked.
 * @throws {Invalid} where it is none of ours, or was not signed for us, here, now.
 */
export async function verifyPasskey(
  tx: Database,
  config: Config,
  response: AuthenticationResponseJSON,
): Promise<{ userId: string }> {
  const [known] = await tx.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!known)
    throw new Invalid({ "": "We don't recognise this passkey. It may have been removed." });
  await lockPerson(tx, known.userId);
  let challenge = "";
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (sent) => isValidChallenge(config, "sign-in", (challenge = sent)),
    expectedOrigin: config.origin,
    expectedRPID: getRpId(config),
    requireUserVerification: true,
    credential: {
      id: known.credentialId,
      publicKey: new Uint8Array(known.publicKey),
      counter: known.counter,
      transports: known.transports,
    },
  }).catch(rejectPasskey);
  if (!verified || !(await consumeChallenge(tx, challenge))) throw new Invalid({ "": refused });
  const used = await tx
    .update(passkeys)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: now() })
    .where(and(eq(passkeys.id, known.id), eq(passkeys.counter, known.counter)))
    .returning({ id: passkeys.id });
  if (used.length === 0) throw new Invalid({ "": refused });
  return { userId: known.userId };
}

/** The library throws at whatever is not as it should be, which anybody can send. */
function rejectPasskey(): never {
  throw new Invalid({ "": refused });
}

/** Builds the request for any passkey that the browser has for us, with verification of the person. */
export function buildAuthenticationOptions(
  settings: Settings,
): Omit<PublicKeyCredentialRequestOptionsJSON, "extensions"> {
  return {
    challenge: generateChallenge(settings, "sign-in").toString("base64url"),
    rpId: getRpId(settings),
    userVerification: "required",
    timeout: promptTimeoutMs,
  };
}

/** The name that passkeys are bound to: the host of our origin. */
function getRpId({ origin }: Pick<Config, "origin">): string {
  return new URL(origin).hostname;
}

/** The purpose of a challenge: an answer for one purpose is invalid for another. */
type Purpose = "sign-in" | `add:${string}`;

type Settings = Pick<Config, "origin" | "secret">;

/** A page may stand open for a while before its passkey is chosen. */
const challengeLifetime = hour;
/** For so long a browser waits for its person, in milliseconds. */
const promptTimeoutMs = 5 * minute;
/** In bytes: random ones, the moment of its end, and the mark that it is ours. */
const [randomLength, momentLength, markLength] = [16, 6, 32];

/**
 * Generates a challenge that proves by its signature that it is ours, so that visitors make us store nothing.
 */
export function generateChallenge(settings: Settings, purpose: Purpose): Buffer<ArrayBuffer> {
  const moment = Buffer.alloc(momentLength);
  moment.writeUIntBE(now().getTime() + challengeLifetime, 0, momentLength);
  const said = Buffer.concat([randomBytes(randomLength), moment]);
  return Buffer.concat([said, signChallenge(settings, purpose, said)]);
}

/** Checks whether a challenge that a browser returned is ours, fits the purpose and has not expired. */
export function isValidChallenge(settings: Settings, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, "base64url");
  const saidLength = randomLength + momentLength;
  if (bytes.length !== saidLength + markLength) return false;
  const [said, mark] = [bytes.subarray(0, saidLength), bytes.subarray(saidLength)];
  if (!timingSafeEqual(mark, signChallenge(settings, purpose, said))) return false;
  return said.readUIntBE(randomLength, momentLength) > now().getTime();
}

function signChallenge({ secret }: Settings, purpose: Purpose, said: Buffer): Buffer {
  return createHmac("sha256", secret).update(`passkey\n${purpose}\n`).update(said).digest();
}

/** Spends a challenge; false where it was spent before: of two at once one gets true. */
async function consumeChallenge(tx: Database, challenge: string): Promise<boolean> {
  const expiresAt = new Date(now().getTime() + challengeLifetime);
  const spent = await tx
    .insert(spentChallenges)
    .values({ challengeHash: hashToken(challenge), expiresAt })
    .onConflictDoNothing()
    .returning({ challengeHash: spentChallenges.challengeHash });
  return spent.length > 0;
}

/** Forgets challenges that are over by themselves, and returns how many. */
export function deleteExpiredChallenges(db: Database): Promise<number> {
  const { challengeHash, expiresAt } = spentChallenges;
  return deleteRowsInSteps(db, spentChallenges, challengeHash, lt(expiresAt, now()));
}
