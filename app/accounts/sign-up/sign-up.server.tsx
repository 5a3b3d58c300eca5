import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { queueMail } from "../../mail/queue-mail.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { AccountExistsMail, ConfirmAddressMail } from "../emails.tsx";
import { makeLink } from "../one-time-links.server.ts";
import { hashPassword } from "../passwords.server.ts";
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
