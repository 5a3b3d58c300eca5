import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { createElement } from "react";
import { queueMail } from "../mail/deliver-mail.server.ts";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now, formatShortDate } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import { type Database, isUuid } from "../platform/database.server.ts";
import { Conflict, Denied, Invalid, NotFound } from "../platform/errors.ts";
import { normalizeEmail } from "../platform/text/text.ts";
import { type Actor, isBanned, isNotBanned } from "./actor.server.ts";
import { BanLiftedMail, BannedMail } from "./emails.tsx";
import { authorize } from "./permissions.server.ts";
import type { StaffRole } from "./roles.ts";
import { revokeUserSessions } from "./session.server.ts";
import { oneTimeLinks, staffRoles, users } from "./tables.server.ts";

/** The end of a ban, and the reason that the banned person reads. */
type Ban = { until: Date; reason: string | null };

type Product = Pick<Config, "origin" | "product">;

/**
 * Bans a person until the given moment, ends their sessions and emailed links, and emails them.
 *
 * @throws {Conflict} for one's own account, the last god admin, or a person who is already banned.
 * @throws {NotFound} if the person doesn't exist; {Invalid} if they never confirmed their address.
 */
export async function banUser(
  db: Database,
  actor: Actor | null,
  { userId, ...ban }: Ban & { userId: string },
  product: Product,
): Promise<void> {
  authorize(actor, "user.ban");
  await withRoleLock(db, actor, async (tx) => {
    if (userId === actor.id)
      throw new Conflict("You can't ban your own account. Another god admin can do it.");
    const user = await getConfirmedUser(tx, userId);
    if (isBanned(user, now())) throw new Conflict("This person is already banned.");
    await applyBan(tx, actor, user, ban, product);
  });
}

/** The same for the operator, who may also change a ban. @throws {Conflict} for the last god admin. */
export function banAccount(db: Database, email: string, ban: Ban, product: Product): Promise<void> {
  return withRoleLock(db, "operator", async (tx) => {
    await applyBan(tx, "operator", await getConfirmedAccount(tx, email), ban, product);
  });
}

/**
 * Lifts a ban, and emails the person.
 *
 * @throws {Conflict} if they aren't banned.
 * @throws {NotFound} if the person doesn't exist.
 */
export async function unbanUser(
  db: Database,
  actor: Actor | null,
  userId: string,
  product: Product,
): Promise<void> {
  authorize(actor, "user.ban");
  await withRoleLock(db, actor, async (tx) => {
    const isLifted = await liftBan(tx, actor, await getConfirmedUser(tx, userId), product);
    if (!isLifted) throw new Conflict("This person isn't banned.");
  });
}

/** The same for the operator. Returns false if they weren't banned. */
export function unbanAccount(db: Database, email: string, product: Product): Promise<boolean> {
  return withRoleLock(db, "operator", async (tx) =>
    liftBan(tx, "operator", await getConfirmedAccount(tx, email), product),
  );
}

/** Lists everyone with a staff role, by address. */
export async function listRoles(db: Database) {
  return db
    .select({ email: users.email, name: users.name, role: staffRoles.role })
    .from(staffRoles)
    .innerJoin(users, eq(users.id, staffRoles.userId))
    .orderBy(users.email, staffRoles.role);
}

type RoleChange = "grant" | "revoke";

/**
 * Grants or revokes a role, from the person's next request on.
 *
 * @throws {Conflict} if nothing would change, or for the last god admin's role.
 * @throws {NotFound} if the person doesn't exist; {Invalid} if they never confirmed their address.
 */
export async function changeUserRole(
  db: Database,
  actor: Actor | null,
  { userId, role, change }: { userId: string; role: StaffRole; change: RoleChange },
): Promise<void> {
  authorize(actor, "user.change-role");
  await withRoleLock(db, actor, async (tx) => {
    const user = await getConfirmedUser(tx, userId);
    if (await setRole(tx, actor, user, role, change)) return;
    throw new Conflict(
      change === "grant"
        ? "This person already has this role."
        : "This person doesn't have this role.",
    );
  });
}

/** The same for the operator. @returns false if nothing changed. */
export function changeRole(
  db: Database,
  email: string,
  role: StaffRole,
  change: RoleChange,
): Promise<boolean> {
  return withRoleLock(db, "operator", async (tx) =>
    setRole(tx, "operator", await getConfirmedAccount(tx, email), role, change),
  );
}

/** Checks whether another god admin can sign in. */
export async function hasOtherGodAdmin(db: Database, userId: string): Promise<boolean> {
  return hasGodAdmin(db, ne(users.id, userId));
}

/**
 * Returns the confirmed account of an address for the operator's commands, and locks its row.
 *
 * @throws {Invalid} if there is no such account or it was never confirmed.
 */
export async function getConfirmedAccount(tx: Database, email: string) {
  const user = await lockUser(tx, eq(users.email, normalizeEmail(email)));
  if (!user) throw new Invalid({ email: `No account has the address ${email}.` });
  if (!user.emailVerified)
    throw new Invalid({ email: `The address ${email} is not confirmed yet.` });
  return user;
}

async function getConfirmedUser(tx: Database, userId: string) {
  const user = isUuid(userId) ? await lockUser(tx, eq(users.id, userId)) : undefined;
  if (!user) throw new NotFound("User not found");
  if (!user.emailVerified)
    throw new Invalid({ "": "This person hasn't confirmed their address yet." });
  return user;
}

type User = typeof users.$inferSelect;

async function lockUser(tx: Database, condition: SQL): Promise<User | undefined> {
  const [user] = await tx.select().from(users).where(condition).for("update");
  return user;
}

/** The author of a change to an account. */
type Changer = Actor | "operator";

/**
 * Runs changes to roles and bans one at a time, each in its own transaction. Refuses a god admin who has lost
 * the role by then.
 */
function withRoleLock<Result>(
  db: Database,
  changer: Changer,
  change: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await lockRoles(tx);
    if (changer !== "operator" && !(await hasGodAdmin(tx, eq(users.id, changer.id))))
      throw new Denied();
    return change(tx);
  });
}

/** Makes other changes to roles and bans wait until the transaction ends. Closing an account does so too. */
export async function lockRoles(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('roles and bans', 0))`);
}

async function hasGodAdmin(db: Database, condition: SQL): Promise<boolean> {
  const others = await db
    .select({ id: users.id })
    .from(staffRoles)
    .innerJoin(users, eq(users.id, staffRoles.userId))
    .where(and(eq(staffRoles.role, "god_admin"), isNotBanned(), condition))
    .limit(1);
  return others.length > 0;
}

async function applyBan(
  tx: Database,
  changer: Changer,
  { id, email, bannedUntil, highestRole }: User,
  { until, reason }: Ban,
  { product }: Product,
): Promise<void> {
  if (highestRole === "god_admin") await requireOtherGodAdmin(tx, id);
  const moment = now();
  await tx.update(users).set({ bannedUntil: until, updatedAt: moment }).where(eq(users.id, id));
  // The same order as a password reset (links, then sessions), to avoid deadlocks.
  await tx.delete(oneTimeLinks).where(eq(oneTimeLinks.userId, id));
  await revokeUserSessions(tx, id);
  await recordAuditEvents(tx, [
    {
      actor: changer,
      event: "user.ban",
      subject: { type: "user", id },
      before: { bannedUntil },
      after: { bannedUntil: until, reason },
    },
  ]);
  await queueMail(tx, {
    cause: `banned:${id}:${moment.getTime()}`,
    to: email,
    replyTo: product.supportEmail,
    subject: `Your account at ${product.name} is suspended`,
    body: createElement(BannedMail, { product, until: formatShortDate(until), reason }),
  });
}

async function liftBan(
  tx: Database,
  changer: Changer,
  { id, email, bannedUntil }: User,
  { product, origin }: Product,
): Promise<boolean> {
  const moment = now();
  if (!isBanned({ bannedUntil }, moment)) return false;
  await tx.update(users).set({ bannedUntil: null, updatedAt: moment }).where(eq(users.id, id));
  await recordAuditEvents(tx, [
    {
      actor: changer,
      event: "user.unban",
      subject: { type: "user", id },
      before: { bannedUntil },
    },
  ]);
  await queueMail(tx, {
    cause: `ban-lifted:${id}:${moment.getTime()}`,
    to: email,
    subject: `Your account at ${product.name} is active again`,
    body: createElement(BanLiftedMail, { product, origin }),
  });
  return true;
}

async function setRole(
  tx: Database,
  changer: Changer,
  { id }: User,
  role: StaffRole,
  change: RoleChange,
): Promise<boolean> {
  const isOwnRole = and(eq(staffRoles.userId, id), eq(staffRoles.role, role));
  const changed =
    change === "grant"
      ? await tx
          .insert(staffRoles)
          .values({ userId: id, role, createdAt: now() })
          .onConflictDoNothing()
          .returning()
      : await tx.delete(staffRoles).where(isOwnRole).returning();
  if (changed.length === 0) return false;
  if (change === "revoke" && role === "god_admin") await requireOtherGodAdmin(tx, id);
  await recordAuditEvents(tx, [
    {
      actor: changer,
      event: `role.${change}`,
      subject: { type: "user", id },
      after: { role },
    },
  ]);
  return true;
}

/** One god admin has to remain, because only god admins can create others from a screen. */
async function requireOtherGodAdmin(tx: Database, userId: string): Promise<void> {
  if (await hasOtherGodAdmin(tx, userId)) return;
  throw new Conflict(
    "This is the last god admin. First give the role to someone else who can log in.",
  );
}
