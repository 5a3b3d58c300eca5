import { and, eq, gt } from "drizzle-orm";
import { hour, now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { linkHours, type LinkKind } from "./rules.ts";
import { hashToken, newToken } from "./session.server.ts";
import { oneTimeLinks } from "./tables.server.ts";

const paths = { signup: "/account-confirmation", recovery: "/reset-password" };

/** What a sign-up link carries until it is used. */
export type SignUpFacts = {
  fullName?: string | null;
  passwordHash?: string | null;
  next?: string | null;
};

/**
 * Makes a link that works once, in place of an older one of the same kind.
 *
 * @returns the address to send; its token is kept nowhere, only its hash.
 */
export async function makeLink(
  tx: Database,
  origin: string,
  kind: LinkKind,
  userId: string,
  facts: SignUpFacts = {},
): Promise<string> {
  const token = newToken();
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
export async function linkIsValid(db: Database, kind: LinkKind, token: string): Promise<boolean> {
  const [link] = await db
    .select({ kind: oneTimeLinks.kind })
    .from(oneTimeLinks)
    .where(usable(kind, token));
  return link !== undefined;
}

/** Uses the link up: of two that try at the same time, one gets null. */
export async function useLink(tx: Database, kind: LinkKind, token: string) {
  const [link] = await tx.delete(oneTimeLinks).where(usable(kind, token)).returning();
  return link ?? null;
}

function usable(kind: LinkKind, token: string) {
  return and(
    eq(oneTimeLinks.tokenHash, hashToken(token)),
    eq(oneTimeLinks.kind, kind),
    gt(oneTimeLinks.expiresAt, now()),
  );
}
