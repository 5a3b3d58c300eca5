import { and, eq, isNotNull, isNull, lt, notExists, type SQL, sql } from "drizzle-orm";
import { UnusedAccountMail } from "../../accounts/emails.tsx";
import { accountUses, staffRoles, users } from "../../accounts/tables.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { day, formatLongDate, now, toIsoDay } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict } from "../../platform/errors.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { closeUnusedAccount } from "./close-account.server.tsx";
import type { ClosingSettings } from "./end-account.server.ts";

/** The time between the email and the closing. */
const warnedFor = 30 * day;

/** The accounts that a run warns, and closes, at most. The next one continues. */
const maxPerRun = 1_000;

type UnusedSettings = ClosingSettings & Pick<Config, "eraseAfterMonths">;

/** Creates the task that warns the owners of unused accounts, and later closes these. */
export function createCloseUnusedTask(config: UnusedSettings): Task<object> {
  return {
    name: "close-unused-accounts",
    schedule: "41 20 * * *",
    async run(_data, { db, log }) {
      const { warned, closed } = await closeUnusedAccounts(db, config);
      if (warned + closed > 0) log.info({ warned, closed }, "unused accounts");
    },
  };
}

/**
 * Emails people who haven't used their account for the months of the setting, and closes the accounts of those who got the
 * email 30 days ago. An account that can't be closed yet is tried again.
 *
 * @returns the number of each
 */
export async function closeUnusedAccounts(
  db: Database,
  config: UnusedSettings,
): Promise<{ warned: number; closed: number }> {
  if (config.eraseAfterMonths === 0) return { warned: 0, closed: 0 };
  await startCounting(db);
  const hasRole = db
    .select({ role: staffRoles.role })
    .from(staffRoles)
    .where(eq(staffRoles.userId, users.id));
  const isOpen = and(isNull(users.closedAt), users.emailVerified, notExists(hasRole));
  const selectUnused = (condition: SQL) =>
    db
      .select({ id: users.id, email: users.email })
      .from(accountUses)
      .innerJoin(users, eq(users.id, accountUses.userId))
      .where(and(isLongAgo(config), isOpen, condition))
      .orderBy(accountUses.day)
      .limit(maxPerRun);
  const isOver = lt(accountUses.warnedAt, new Date(now().getTime() - warnedFor));
  let closed = 0;
  for (const { id } of await selectUnused(isOver))
    if (await closeIfUnused(db, config, id)) closed += 1;
  let warned = 0;
  for (const person of await selectUnused(isNull(accountUses.warnedAt)))
    if (await notifyIfUnused(db, config, person)) warned += 1;
  return { warned, closed };
}

/** The months of an account without a row begin today, since nobody knows when it was used. */
async function startCounting(db: Database): Promise<void> {
  await db.execute(sql`
    insert into account_uses (user_id, day)
    select id, ${toIsoDay(now())}::date from users where closed_at is null
      and not exists (select from account_uses where user_id = users.id)
    on conflict do nothing`);
}

/** Matches uses so long ago that the account may be closed. */
function isLongAgo({ eraseAfterMonths }: UnusedSettings): SQL {
  return sql`${accountUses.day} < ${toIsoDay(now())}::date - make_interval(months => ${eraseAfterMonths}::int)`;
}

/**
 * Closes an account that is still unused. A login comes first, which keeps the account, or waits for the end of the
 * transaction.
 *
 * @returns false if it was used, or something has to be finished first
 */
async function closeIfUnused(
  db: Database,
  config: UnusedSettings,
  userId: string,
): Promise<boolean> {
  const isStillUnused = and(
    eq(accountUses.userId, userId),
    isLongAgo(config),
    isNotNull(accountUses.warnedAt),
  );
  try {
    await db.transaction(async (tx) => {
      await closeUnusedAccount(tx, config, userId);
      if ((await tx.$count(accountUses, isStillUnused)) === 0) throw new Conflict("It was used.");
    });
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

async function notifyIfUnused(
  db: Database,
  config: UnusedSettings,
  { id: userId, email }: { id: string; email: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const at = now();
    const warned = await tx
      .update(accountUses)
      .set({ warnedAt: at })
      .where(and(eq(accountUses.userId, userId), isLongAgo(config), isNull(accountUses.warnedAt)))
      .returning({ userId: accountUses.userId });
    if (warned.length === 0) return false;
    await queueMail(tx, {
      cause: `unused-account:${userId}:${at.getTime()}`,
      to: email,
      replyTo: config.product.supportEmail,
      subject: `Do you still need your ${config.product.name} account?`,
      body: (
        <UnusedAccountMail
          product={config.product}
          origin={config.origin}
          date={formatLongDate(new Date(at.getTime() + warnedFor))}
        />
      ),
    });
    return true;
  });
}
