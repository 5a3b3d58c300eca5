import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { queueMail } from "../../mail/mails.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { AccountExistsMail, ConfirmAddressMail } from "../emails.tsx";
import { makeLink, useLink } from "../one-time-links.server.ts";
import { hashPassword } from "../passwords.server.ts";
import { type Browser, openSession, type Session } from "../session.server.ts";
import { accounts, oneTimeLinks, profiles, users } from "../tables.server.ts";

export type SignUp = { fullName: string; email: string; password: string; next?: string | null };

/**
 * Creates an unconfirmed account and mails its confirmation link, in one transaction.
 *
 * An address that is not confirmed yet gets the new name, password and link in place of the old.
 * A confirmed one gets a mail that says so. The caller cannot tell these apart.
 */
export async function signUp(db: Database, config: Config, form: SignUp): Promise<void> {
  const passwordHash = await hashPassword(form.password);
  await db.transaction(async (tx) => {
    const userId = await upsertUnconfirmed(tx, form);
    if (userId === null) {
      await mailAccountExists(tx, config, form.email);
      return;
    }
    await setPassword(tx, userId, passwordHash);
    await mailConfirmation(tx, config, { ...form, userId, passwordHash });
  });
}

/**
 * Mails a new confirmation link to an address that is not confirmed yet, for the sign-up it had.
 * Does nothing for any other address, and says nothing of it.
 */
export async function resendConfirmation(
  db: Database,
  config: Config,
  email: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [user] = await tx
      .select({
        id: users.id,
        name: users.name,
        passwordHash: accounts.password,
        next: oneTimeLinks.next,
      })
      .from(users)
      .innerJoin(accounts, eq(accounts.userId, users.id))
      .leftJoin(
        oneTimeLinks,
        sql`${oneTimeLinks.userId} = ${users.id} and ${oneTimeLinks.kind} = 'signup'`,
      )
      .where(sql`${users.email} = ${email} and not ${users.emailVerified}`)
      .for("update", { of: users });
    if (!user) return;
    const { id: userId, name: fullName, passwordHash, next } = user;
    await mailConfirmation(tx, config, { userId, email, fullName, passwordHash, next });
  });
}

/** Returns the user's id, or null when the address belongs to a confirmed account. */
async function upsertUnconfirmed(
  tx: Database,
  { email, fullName }: SignUp,
): Promise<string | null> {
  const createdAt = now();
  const [user] = await tx
    .insert(users)
    .values({ email, name: fullName, createdAt, updatedAt: createdAt })
    .onConflictDoUpdate({
      target: users.email,
      set: { name: fullName, updatedAt: createdAt },
      setWhere: sql`not ${users.emailVerified}`,
    })
    .returning({ id: users.id });
  if (!user) return null;
  await tx
    .insert(profiles)
    .values({ id: user.id, fullName, createdAt })
    .onConflictDoUpdate({ target: profiles.id, set: { fullName } });
  return user.id;
}

async function setPassword(tx: Database, userId: string, password: string): Promise<void> {
  const createdAt = now();
  await tx
    .insert(accounts)
    .values({
      userId,
      accountId: userId,
      providerId: "credential",
      password,
      createdAt,
      updatedAt: createdAt,
    })
    .onConflictDoUpdate({
      target: [accounts.userId, accounts.providerId],
      set: { password, updatedAt: createdAt },
    });
}

type Confirmation = {
  userId: string;
  email: string;
  fullName: string;
  passwordHash: string | null;
  next?: string | null | undefined;
};

async function mailConfirmation(tx: Database, config: Config, facts: Confirmation): Promise<void> {
  const { userId, email, fullName, passwordHash, next = null } = facts;
  const link = await makeLink(tx, config.origin, "signup", userId, {
    fullName,
    passwordHash,
    next,
  });
  await queueMail(tx, {
    cause: `confirm:${randomUUID()}`,
    to: email,
    subject: `Confirm your e-mail address for ${config.product.name}`,
    body: <ConfirmAddressMail product={config.product} link={link} />,
  });
}

async function mailAccountExists(tx: Database, config: Config, email: string): Promise<void> {
  await queueMail(tx, {
    cause: `account-exists:${randomUUID()}`,
    to: email,
    subject: `You already have an account at ${config.product.name}`,
    body: <AccountExistsMail product={config.product} origin={config.origin} />,
  });
}

/**
 * Uses up a confirmation link: the account becomes that of the sign-up which made the link, and its
 * owner is signed in.
 *
 * @returns the session, whose it is and where they wanted to go, or null when the link is not valid.
 * @throws {Denied} for a person who is banned; then nothing has changed.
 */
export async function confirmAddress(
  db: Database,
  token: string,
  browser: Browser = {},
): Promise<{ session: Session; email: string | null; next: string | null } | null> {
  return db.transaction(async (tx) => {
    const link = await useLink(tx, "signup", token);
    if (!link) return null;
    const { userId, fullName, passwordHash, next } = link;
    const updatedAt = now();
    const named = fullName === null ? {} : { name: fullName };
    const [user] = await tx
      .update(users)
      .set({ emailVerified: true, firstSignInAt: updatedAt, updatedAt, ...named })
      .where(eq(users.id, userId))
      .returning({ email: users.email });
    if (fullName !== null)
      await tx.update(profiles).set({ fullName }).where(eq(profiles.id, userId));
    if (passwordHash !== null) {
      await tx
        .update(accounts)
        .set({ password: passwordHash, updatedAt })
        .where(and(eq(accounts.userId, userId), eq(accounts.providerId, "credential")));
    }
    const session = await openSession(tx, userId, browser, "link");
    return { session, email: user?.email ?? null, next };
  });
}
