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

/** The facts that a sign-up link carries until it is used. */
type SignUpFacts = {
  fullName?: string | null;
  passwordHash?: string | null;
  next?: string | null;
};

/**
 * Makes a link that works once, in place of an older one of the same kind.
 *
 * @returns the address to send; its token is kept nowhere, only its hash.
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

/** True when the link could be used now. Looking at it does not use it up. */
export async function isLinkValid(db: Database, kind: LinkKind, token: string): Promise<boolean> {
  const [link] = await db
    .select({ kind: oneTimeLinks.kind })
    .from(oneTimeLinks)
    .where(isLinkOpen(kind, token));
  return link !== undefined;
}

/**
 * Uses the link up: of two that try at the same time, one gets null. Its person is locked first: what else
 * signs them in at this moment, or bans them, comes before or after.
 */
export async function consumeLink(tx: Database, kind: LinkKind, token: string) {
  const [found] = await tx
    .select({ userId: oneTimeLinks.userId })
    .from(oneTimeLinks)
    .where(isLinkOpen(kind, token));
  if (!found) return null;
  await lockPerson(tx, found.userId);
  const [link] = await tx.select().from(oneTimeLinks).where(isLinkOpen(kind, token));
  if (!link) return null;
  if (kind === "signup") await expireSignUpLink(tx, link.userId);
  else await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.tokenHash, link.tokenHash));
  return link;
}

/** Ends a person's confirmation link. Its hash stays, so that opening it again can say that they are confirmed. */
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

/** True when the link is, or was, the confirmation link of an address that is confirmed by now. */
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

/** An unconfirmed address and an unused link are deleted after this. */
export const linkLifetime = 7 * day;

/** Forgets mailed links that ended a week ago: until then a new one leads where the old one would. */
export function deleteExpiredLinks(db: Database): Promise<number> {
  const ended = new Date(now().getTime() - linkLifetime);
  return deleteRowsInSteps(
    db,
    oneTimeLinks,
    oneTimeLinks.tokenHash,
    lt(oneTimeLinks.expiresAt, ended),
  );
}

/**
 * The limits for account actions; those for signing in are in sign-in.server.ts. A whole college may share one
 * address.
 */
export const signUpByClient: RateLimit = { name: "sign-up-client", max: 50, windowMs: hour };
export const mailByAddress: RateLimit = { name: "mail-address", max: 5, windowMs: hour };
export const linkByClient: RateLimit = { name: "link-client", max: 60, windowMs: 15 * minute };
const mailByClient: RateLimit = { name: "mail-client", max: 50, windowMs: hour };

/**
 * Has a mail written that anybody may ask for, to any address.
 *
 * @throws {TooMany} where it is one too many, for the address or for whoever asks.
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

/** Longer than looking for an account and writing it a mail take. */
const minDurationMs = 250;

/** Runs what takes longer for an address with an account, so that the time of the answer tells nothing. */
export async function runInConstantTime(work: () => Promise<void>): Promise<void> {
  const [done] = await Promise.allSettled([work(), setTimeout(minDurationMs)]);
  if (done.status === "rejected") throw done.reason;
}
