import { setTimeout } from "node:timers/promises";
import { and, eq, gt, lt } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { appContext } from "../platform/app-context.server.ts";
import { day, hour, minute, now } from "../platform/clock.ts";
import { type Database, deleteRowsInSteps } from "../platform/database.server.ts";
import { countAsker, countTry, type RateLimit } from "../platform/rate-limit.server.ts";
import { linkHours, type LinkKind } from "./rules.ts";
import { hashToken, lockPerson, generateToken } from "./session.server.ts";
import { oneTimeLinks, users } from "./tables.server.ts";

const paths = { signup: "/account-confirmation", recovery: "/reset-password" };

/** The sign-up data stored with a link until it is used. */
type SignUpFacts = {
  fullName?: string | null;
  passwordHash?: string | null;
  next?: string | null;
};

/**
 * Creates a one-time link, which replaces an older one of the same kind.
 *
 * @returns the URL to send. Only the hash of its token is stored.
 */
export async function createOneTimeLink(
  tx: Database,
  origin: string,
  kind: LinkKind,
  userId: string,
  facts: SignUpFacts = {},
): Promise<string> {
  const token = generateToken();
  const createdAt = now();
  const link = {
    tokenHash: hashToken(token),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + linkHours[kind] * hour),
    fullName: facts.fullName ?? null,
    passwordHash: facts.passwordHash ?? null,
    next: facts.next ?? null,
  };
  await tx
    .insert(oneTimeLinks)
    .values({ ...link, kind, userId })
    .onConflictDoUpdate({ target: [oneTimeLinks.userId, oneTimeLinks.kind], set: link });
  return `${origin}${paths[kind]}?token_hash=${token}&type=${kind}`;
}

/** Checks whether a link is valid, without consuming it. */
export async function isLinkValid(db: Database, kind: LinkKind, token: string): Promise<boolean> {
  const [link] = await db
    .select({ kind: oneTimeLinks.kind })
    .from(oneTimeLinks)
    .where(isLinkOpen(kind, token));
  return link !== undefined;
}

/**
 * Consumes a link; of two concurrent requests, one gets null. The person is locked first, so that other
 * sign-ins and bans run before or after.
 */
export async function consumeLink(tx: Database, kind: LinkKind, token: string) {
  const [row] = await tx
    .select({ userId: oneTimeLinks.userId })
    .from(oneTimeLinks)
    .where(isLinkOpen(kind, token));
  if (!row) return null;
  await lockPerson(tx, row.userId);
  const [link] = await tx.select().from(oneTimeLinks).where(isLinkOpen(kind, token));
  if (!link) return null;
  if (kind === "signup") await expireSignUpLink(tx, link.userId);
  else await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.tokenHash, link.tokenHash));
  return link;
}

/** Expires a person's confirmation link. Its hash stays, so that opening it again can say they are confirmed. */
export async function expireSignUpLink(tx: Database, userId: string): Promise<void> {
  await tx
    .update(oneTimeLinks)
    .set({ expiresAt: now(), fullName: null, passwordHash: null, next: null })
    .where(
      and(
        eq(oneTimeLinks.userId, userId),
        eq(oneTimeLinks.kind, "signup"),
        gt(oneTimeLinks.expiresAt, now()),
      ),
    );
}

/** Checks whether a confirmation link, used or not, is for an address that is confirmed by now. */
export async function isLinkConfirmed(db: Database, token: string): Promise<boolean> {
  const [link] = await db
    .select({ kind: oneTimeLinks.kind })
    .from(oneTimeLinks)
    .innerJoin(users, eq(users.id, oneTimeLinks.userId))
    .where(
      and(
        eq(oneTimeLinks.tokenHash, hashToken(token)),
        eq(oneTimeLinks.kind, "signup"),
        users.emailVerified,
      ),
    );
  return link !== undefined;
}

function isLinkOpen(kind: LinkKind, token: string) {
  return and(
    eq(oneTimeLinks.tokenHash, hashToken(token)),
    eq(oneTimeLinks.kind, kind),
    gt(oneTimeLinks.expiresAt, now()),
  );
}

/** Unconfirmed accounts and unused links are deleted after this time. */
export const linkLifetime = 7 * day;

/** Deletes links a week after they expire. Until then, a new link can reuse the path of the old one. */
export function deleteExpiredLinks(db: Database): Promise<number> {
  const cutoff = new Date(now().getTime() - linkLifetime);
  return deleteRowsInSteps(
    db,
    oneTimeLinks,
    oneTimeLinks.tokenHash,
    lt(oneTimeLinks.expiresAt, cutoff),
  );
}

/**
 * The limits for account actions; those for signing in are in sign-in.server.ts. A college may share one IP
 * address.
 */
export const signUpByClient: RateLimit = { name: "sign-up-client", max: 50, windowMs: hour };
export const mailByAddress: RateLimit = { name: "mail-address", max: 5, windowMs: hour };
export const linkByClient: RateLimit = { name: "link-client", max: 60, windowMs: 15 * minute };
const mailByClient: RateLimit = { name: "mail-client", max: 50, windowMs: hour };

/**
 * Queues an email that anyone can request for any address.
 *
 * @throws {TooMany} above the limit of the address or the client.
 */
export async function queueRequestedMail(
  context: Readonly<RouterContextProvider>,
  address: string,
  write: () => Promise<void>,
): Promise<void> {
  await countAsker(context, mailByClient);
  await countTry(context.get(appContext), mailByAddress, address);
  await runInConstantTime(write);
}

/** Longer than it takes to find an account and queue its email. */
const minDurationMs = 250;

/** Runs work in a constant time, so that the response time doesn't reveal whether an account exists. */
export async function runInConstantTime(work: () => Promise<void>): Promise<void> {
  const [outcome] = await Promise.allSettled([work(), setTimeout(minDurationMs)]);
  if (outcome.status === "rejected") throw outcome.reason;
}
