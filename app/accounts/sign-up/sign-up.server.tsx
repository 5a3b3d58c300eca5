import { randomUUID } from "node:crypto";
import { and, eq, gt, lt, not, notExists, sql } from "drizzle-orm";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import type { AppContext } from "../../platform/app-context.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, deleteRowsInSteps } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { recordConsent } from "../consents/consents.server.ts";
import { neededPurposes } from "../consents/rules.ts";
import { consents } from "../consents/tables.server.ts";
import { AccountExistsMail, ConfirmAddressMail } from "../emails.tsx";
import { createOneTimeLink, linkLifetime, consumeLink } from "../one-time-links.server.ts";
import { hashPassword } from "../passwords.server.ts";
import type { StaffRole } from "../roles.ts";
import { type Browser, openSession, type Session } from "../session.server.ts";
import { isSealed } from "../sealed-accounts.server.ts";
import { accounts, oneTimeLinks, profiles, staffRoles, users } from "../tables.server.ts";

type SignUp = { fullName: string; email: string; password: string; next?: string | null };

/**
 * Creates an unconfirmed account with the consents of its form, and emails its confirmation link, in one transaction.
 *
 * For an unconfirmed address, the new name, password and link replace the old ones. The owner of a confirmed
 * address gets an email that says so. The caller can't tell these cases apart.
 */
export async function signUp(db: Database, config: Config, form: SignUp): Promise<void> {
  const passwordHash = await hashPassword(form.password);
  await db.transaction(async (tx) => {
    // A closed account still has its address until it is purged, since its owner can restore it.
    const userId = (await isSealed(tx, form.email)) ? null : await saveUser(tx, form, false);
    if (userId === null) {
      await queueAccountExistsMail(tx, config, form.email);
      return;
    }
    for (const purpose of neededPurposes)
      await recordConsent(tx, { userId }, { purpose, how: "sign-up" });
    await setPassword(tx, userId, passwordHash);
    await queueConfirmationMail(tx, config, { ...form, userId, passwordHash });
  });
}

/**
 * Emails a new link for the last sign-up of an unconfirmed address. Does nothing for any other address; the
 * caller can't tell.
 */
export async function sendConfirmationAgain(
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
    await queueConfirmationMail(tx, config, { userId, email, fullName, passwordHash, next });
  });
}

/** Returns the user's id, or null when the address belongs to a confirmed account. */
async function saveUser(
  tx: Database,
  { email, fullName }: { email: string; fullName: string },
  emailVerified: boolean,
): Promise<string | null> {
  const createdAt = now();
  const own = { name: fullName, emailVerified, updatedAt: createdAt };
  const [user] = await tx
    .insert(users)
    .values({ email, ...own, createdAt })
    .onConflictDoUpdate({
      target: users.email,
      set: own,
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

async function setPassword(tx: Database, userId: string, password: string | null): Promise<void> {
  const createdAt = now();
  await tx
    .insert(accounts)
    .values({
      userId,
      password,
      createdAt,
      updatedAt: createdAt,
    })
    .onConflictDoUpdate({
      target: accounts.userId,
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

async function queueConfirmationMail(tx: Database, config: Config, facts: Confirmation) {
  const { userId, email, fullName, passwordHash, next = null } = facts;
  const link = await createOneTimeLink(tx, config.origin, "signup", userId, {
    fullName,
    passwordHash,
    next,
  });
  await queueMail(tx, {
    cause: `confirm:${randomUUID()}`,
    to: email,
    subject: `Confirm your email address for ${config.product.name}`,
    body: <ConfirmAddressMail product={config.product} link={link} />,
  });
}

/** Tells the owner of an address with an account that it was typed as the address of a new one. */
export async function queueAccountExistsMail(
  tx: Database,
  config: Config,
  email: string,
): Promise<void> {
  await queueMail(tx, {
    cause: `account-exists:${randomUUID()}`,
    to: email,
    subject: `You already have an account at ${config.product.name}`,
    body: <AccountExistsMail product={config.product} origin={config.origin} />,
  });
}

/**
 * Consumes a confirmation link: the account gets the name and password of the link's sign-up, and its owner
 * is signed in.
 *
 * @returns the session, its email address and the path to continue to; null if the link is invalid.
 * @throws {Denied} for a person who is banned; nothing changes.
 */
export async function confirmAddress(
  db: Database,
  token: string,
  browser: Browser = {},
): Promise<{ session: Session; email: string | null; next: string | null } | null> {
  return db.transaction(async (tx) => {
    const link = await consumeLink(tx, "signup", token);
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
    if (passwordHash !== null) await setPassword(tx, userId, passwordHash);
    const session = await openSession(tx, userId, browser, "link");
    return { session, email: user?.email ?? null, next };
  });
}

type NewAccount = {
  /** In lower case. */
  email: string;
  fullName: string;
  /** Null if the person will choose one with a link. */
  password: string | null;
  roles: StaffRole[];
};

/**
 * Creates an account with a confirmed address, for the operator. It replaces an unconfirmed sign-up, whose
 * links stop working.
 *
 * @throws {Invalid} if the address already has a confirmed account.
 */
export async function createConfirmedAccount(
  db: Database,
  { email, fullName, password, roles }: NewAccount,
): Promise<{ id: string }> {
  const passwordHash = password === null ? null : await hashPassword(password);
  return db.transaction(async (tx) => {
    const id = (await isSealed(tx, email)) ? null : await saveUser(tx, { email, fullName }, true);
    if (id === null) throw new Invalid({ email: `The address ${email} already has an account.` });
    await setPassword(tx, id, passwordHash);
    await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, id));
    // The unconfirmed sign-up may be a stranger's, so it proves nothing. The owner is asked at their next visit.
    await tx.delete(consents).where(eq(consents.userId, id));
    const createdAt = now();
    if (roles.length > 0)
      await tx
        .insert(staffRoles)
        .values(roles.map((role) => ({ userId: id, role, createdAt })))
        .onConflictDoNothing();
    const subject = { type: "user", id };
    await recordAuditEvents(tx, [
      { actor: "operator", event: "user.create", subject },
      ...roles.map((role) => ({
        actor: "operator" as const,
        event: "role.grant",
        subject,
        after: { role },
      })),
    ]);
    return { id };
  });
}

/** Creates a one-time link for choosing a password. */
export function createPasswordLink({ db, config }: AppContext, userId: string): Promise<string> {
  return createOneTimeLink(db, config.origin, "recovery", userId);
}

/**
 * Deletes accounts that were never confirmed, a week after their last sign-up, unless a confirmation link is
 * still valid or other tables refer to them.
 */
export async function deleteUnconfirmedAccounts(db: Database): Promise<number> {
  const moment = now();
  const liveLink = db
    .select({ userId: oneTimeLinks.userId })
    .from(oneTimeLinks)
    .where(and(eq(oneTimeLinks.userId, users.id), gt(oneTimeLinks.expiresAt, moment)));
  const attached = (await listAccountReferences(db)).map(
    ({ table, column }) => sql`not exists (select from ${sql.identifier(table)} as attached
      where attached.${sql.identifier(column)} = ${users.id})`,
  );
  const isExpired = and(
    not(users.emailVerified),
    lt(users.updatedAt, new Date(moment.getTime() - linkLifetime)),
    notExists(liveLink),
    ...attached,
  );
  return deleteRowsInSteps(db, users, users.id, isExpired);
}

/** The tables whose rows are deleted with their account. */
const ownTables = [
  "accounts",
  "profiles",
  "sessions",
  "one_time_links",
  "authenticators",
  "recovery_codes",
  "half_sign_ins",
  "passkeys",
  "consents",
];

/** Lists all other foreign keys to accounts and profiles, from the database's catalog. */
async function listAccountReferences(db: Database): Promise<{ table: string; column: string }[]> {
  const { rows } = await db.execute<{ table: string; column: string }>(sql`
    select referring.relname as table, attname as column
    from pg_constraint
    join pg_class as referring on referring.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid in ('users'::regclass, 'profiles'::regclass)
      and referring.relname <> all(${sql.param(ownTables)})`);
  return rows;
}
