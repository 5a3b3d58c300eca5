import { randomBytes } from "node:crypto";
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
import { isSignature, signText } from "../../platform/signed-ids.server.ts";
import type { Actor } from "../actor.server.ts";
import { authorize } from "../permissions.server.ts";
import { recordFactorChange } from "../factor-changes.server.tsx";
import { hashToken, lockPerson } from "../session.server.ts";
import { passkeys, spentChallenges } from "../tables.server.ts";

type Site = Pick<AppContext, "db" | "config">;

/** Loaded on first use, because it is slow to load and few people need it. */
const loadWebauthn = () => import("@simplewebauthn/server");

/**
 * The key algorithms as COSE numbers, preferred first: EdDSA, ES256, RS256. Node's post-quantum algorithms are
 * experimental and log a warning each time.
 */
const keyAlgorithms = [-8, -7, -257];

const maxPasskeys = 20;
const refused = "We couldn't use this passkey. Please try again.";

export type OwnPasskey = { id: string; name: string; addedOn: string; usedAt: string | null };

/** Lists a person's passkeys, oldest first. */
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
 * Adds a passkey that a browser created.
 *
 * @throws {Invalid} if it wasn't just created for this person and site, or was already added.
 * @throws {Conflict} at the limit of passkeys.
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
    if ((own?.passkeys ?? 0) >= maxPasskeys)
      throw new Conflict(`You've reached the limit of ${maxPasskeys} passkeys. Remove one first.`);
    const passkey = { credentialId, publicKey: Buffer.from(publicKey), counter, transports, name };
    const added = await tx
      .insert(passkeys)
      .values({ userId: actor.id, ...passkey, createdAt: now() })
      .onConflictDoNothing()
      .returning({ id: passkeys.id });
    if (added.length === 0) throw new Invalid({ "": "This passkey has already been added." });
    await recordFactorChange(tx, config, actor, "passkey.add");
  });
}

/**
 * Renames one of a person's passkeys.
 *
 * @throws {NotFound} if it isn't theirs.
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
  if (renamed.length === 0) throw new NotFound(alreadyRemoved);
}

/**
 * Deletes one of a person's passkeys.
 *
 * @throws {NotFound} if it isn't theirs.
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
    if (removed.length === 0) throw new NotFound(alreadyRemoved);
    await recordFactorChange(tx, config, actor, "passkey.remove");
  });
}

const alreadyRemoved = "That passkey has already been removed.";

function isOwnPasskey(actor: Pick<Actor, "id">, id: string) {
  return and(eq(passkeys.id, id), eq(passkeys.userId, actor.id));
}

/**
 * Verifies a passkey's signature. The device has verified the person, so this replaces the password and the
 * second factor. Each signature works once.
 *
 * @returns the owner, whose row is locked.
 * @throws {Invalid} if the passkey is unknown, or the signature isn't for a current challenge of this site.
 */
export async function verifyPasskey(
  tx: Database,
  config: Config,
  response: AuthenticationResponseJSON,
): Promise<{ userId: string }> {
  const [passkey] = await tx.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!passkey)
    throw new Invalid({ "": "We don't recognise this passkey. It may have been removed." });
  await lockPerson(tx, passkey.userId);
  let challenge = "";
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (value) => isValidChallenge(config, "sign-in", (challenge = value)),
    expectedOrigin: config.origin,
    expectedRPID: getRpId(config),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(rejectPasskey);
  if (!verified || !(await consumeChallenge(tx, challenge))) throw new Invalid({ "": refused });
  const used = await tx
    .update(passkeys)
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: now() })
    .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
    .returning({ id: passkeys.id });
  if (used.length === 0) throw new Invalid({ "": refused });
  return { userId: passkey.userId };
}

/** The library throws on malformed responses, which anyone can send. */
function rejectPasskey(): never {
  throw new Invalid({ "": refused });
}

/** Builds the request for any passkey of this site, with verification of the person. */
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

/** Returns the host name that passkeys are bound to. */
function getRpId({ origin }: Pick<Config, "origin">): string {
  return new URL(origin).hostname;
}

/** The purpose of a challenge: an answer for one purpose is invalid for another. */
type Purpose = "sign-in" | `add:${string}`;

type Settings = Pick<Config, "origin" | "secrets">;

/** Pages may be open for a while before a passkey is chosen. */
const challengeLifetime = hour;
/** The time that a browser waits for the person. */
const promptTimeoutMs = 5 * minute;
/** In bytes: the random part, the expiry time and our signature. */
const [randomLength, expiryLength, signatureLength] = [16, 6, 32];

/**
 * Generates a challenge with our signature, so that we don't have to store it.
 */
export function generateChallenge(settings: Settings, purpose: Purpose): Buffer<ArrayBuffer> {
  const expiry = Buffer.alloc(expiryLength);
  expiry.writeUIntBE(now().getTime() + challengeLifetime, 0, expiryLength);
  const payload = Buffer.concat([randomBytes(randomLength), expiry]);
  return Buffer.concat([payload, signText(settings, getSigningPurpose(purpose), payload)]);
}

/** Checks whether a challenge that a browser returned is ours, fits the purpose and has not expired. */
export function isValidChallenge(settings: Settings, purpose: Purpose, challenge: string): boolean {
  const bytes = Buffer.from(challenge, "base64url");
  const payloadLength = randomLength + expiryLength;
  if (bytes.length !== payloadLength + signatureLength) return false;
  const [payload, signature] = [bytes.subarray(0, payloadLength), bytes.subarray(payloadLength)];
  if (!isSignature(settings, getSigningPurpose(purpose), payload, signature)) return false;
  return payload.readUIntBE(randomLength, expiryLength) > now().getTime();
}

function getSigningPurpose(purpose: Purpose): string {
  return `passkey\n${purpose}`;
}

/** Marks a challenge as used. Returns false if it already was, also by a concurrent request. */
async function consumeChallenge(tx: Database, challenge: string): Promise<boolean> {
  const expiresAt = new Date(now().getTime() + challengeLifetime);
  const spent = await tx
    .insert(spentChallenges)
    .values({ challengeHash: hashToken(challenge), expiresAt })
    .onConflictDoNothing()
    .returning({ challengeHash: spentChallenges.challengeHash });
  return spent.length > 0;
}

/** Deletes used challenges that have expired, and returns how many. */
export function deleteExpiredChallenges(db: Database): Promise<number> {
  const { challengeHash, expiresAt } = spentChallenges;
  return deleteRowsInSteps(db, spentChallenges, challengeHash, lt(expiresAt, now()));
}
