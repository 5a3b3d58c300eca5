/** Closed accounts: their names and addresses are sealed until they are purged. */
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { closedDomain } from "../mail/rules.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { sealedFor } from "./rules.ts";
import { profiles, sealedAccounts, users } from "./tables.server.ts";

/** The address of the user that a query selects, even if their account is closed and not yet purged. */
export const ownEmail = sql<string>`coalesce((select ${sealedAccounts.email} from ${sealedAccounts}
  where ${sealedAccounts.userId} = ${users.id}), ${users.email})`;

/** Matches the user of an address, even if their account is closed and not yet purged. */
export function isOwnerOf(email: string): SQL {
  return sql`${users.id} = coalesce(
    (select named.id from ${users} as named where named.email = ${email}),
    (select ${sealedAccounts.userId} from ${sealedAccounts} where ${sealedAccounts.email} = ${email}))`;
}

/** Checks whether a closed account that can be restored has this address. */
export async function isSealed(db: Database, email: string): Promise<boolean> {
  return (await db.$count(sealedAccounts, eq(sealedAccounts.email, email))) > 0;
}

/** Checks whether this person's account is closed. */
export async function isClosed(db: Database, userId: string): Promise<boolean> {
  const isTheirs = and(eq(users.id, userId), sql`${users.closedAt} is not null`);
  return (await db.$count(users, isTheirs)) > 0;
}

/** True in SQL unless the account of this person is closed. @param userId the column with the person's id */
export function hasOpenAccount(userId: SQLWrapper): SQL {
  return sql`not exists (select 1 from ${users} as closed
    where closed.id = ${userId} and closed.closed_at is not null)`;
}

type User = Pick<typeof users.$inferSelect, "id" | "name" | "email">;

/**
 * Moves the name, address and phone number of an account out of sight, in a transaction that has locked the person.
 *
 * @returns the time at which the account will be purged
 */
export async function hideAccount(tx: Database, { id, name, email }: User): Promise<Date> {
  const closedAt = now();
  const purgeAt = new Date(closedAt.getTime() + sealedFor);
  const [profile] = await tx
    .select({
      fullName: profiles.fullName,
      phone: profiles.phone,
      portfolioUrl: profiles.portfolioUrl,
    })
    .from(profiles)
    .where(eq(profiles.id, id));
  await tx.insert(sealedAccounts).values({ userId: id, email, name, ...profile, purgeAt });
  await tx
    .update(users)
    .set({ name: "", email: `${id}${closedDomain}`, closedAt, updatedAt: closedAt })
    .where(eq(users.id, id));
  await tx
    .update(profiles)
    .set({ fullName: null, phone: null, portfolioUrl: null })
    .where(eq(profiles.id, id));
  return purgeAt;
}
