import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { now } from "../../platform/clock.ts";
import { createPreparedQuery, type Database } from "../../platform/database.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { Denied } from "../../platform/errors.ts";
import { isClosed } from "../sealed-accounts.server.ts";
import { accountClosed } from "../rules.ts";
import { lockPerson } from "../session.server.ts";
import { noticeVersion } from "./notice.ts";
import type { HowGiven, Purpose } from "./rules.ts";
import { consents } from "./tables.server.ts";

/** A person with an account, or the email address of a person without one. */
export type Consenter = { userId: string } | { email: string };

/** A consent as it was given, and withdrawn if it was. */
type Consent = {
  purpose: Purpose;
  noticeVersion: string;
  givenAt: Date;
  withdrawnAt: Date | null;
  how: HowGiven;
};

/**
 * Records that a person consents to something under the current notice. Does nothing if they do already.
 *
 * Call it at the start of a transaction: it waits for other changes to this person's consents.
 *
 * @throws {Denied} if the account was closed meanwhile
 */
export async function recordConsent(
  tx: Database,
  person: Consenter,
  { purpose, how }: { purpose: Purpose; how: HowGiven },
): Promise<void> {
  await lockConsents(tx, person);
  if ("userId" in person && (await isClosed(tx, person.userId))) throw new Denied(accountClosed);
  await tx
    .insert(consents)
    .values({ ...toPersonColumns(person), purpose, how, noticeVersion, givenAt: now() })
    .onConflictDoNothing();
}

/**
 * Withdraws a person's consent under every notice. Does nothing if there is none.
 *
 * Call it at the start of a transaction: it waits for other changes to this person's consents.
 *
 * @param since the sign-up, if that gave the consent without a record. The history then has it too.
 */
export async function withdrawConsent(
  tx: Database,
  person: Consenter,
  purpose: Purpose,
  since: Date | null = null,
): Promise<void> {
  await lockConsents(tx, person);
  const withdrawnAt = now();
  const withdrawn = await tx
    .update(consents)
    .set({ withdrawnAt })
    .where(and(matchesPerson(person), eq(consents.purpose, purpose), isNull(consents.withdrawnAt)))
    .returning({ id: consents.id });
  if (withdrawn.length > 0 || since === null) return;
  const [first] = await tx
    .select({ noticeVersion: consents.noticeVersion })
    .from(consents)
    .where(and(matchesPerson(person), eq(consents.purpose, "account")))
    .orderBy(consents.givenAt)
    .limit(1);
  await tx.insert(consents).values({
    ...toPersonColumns(person),
    purpose,
    how: "sign-up",
    noticeVersion: first?.noticeVersion ?? noticeVersion,
    givenAt: since,
    withdrawnAt,
  });
}

/**
 * Replaces the address of a person without an account in their consents to one purpose, once they had it removed. What
 * they allowed and when stays.
 *
 * @param emailHash a keyed hash of the address
 */
export async function hideConsenter(
  tx: Database,
  { email }: { email: string },
  purpose: Purpose,
  emailHash: string,
): Promise<void> {
  await tx
    .update(consents)
    .set({ email: null, emailHash })
    .where(and(matchesPerson({ email }), eq(consents.purpose, purpose)));
}

async function lockConsents(tx: Database, person: Consenter): Promise<void> {
  if ("userId" in person) return lockPerson(tx, person.userId);
  const name = `consents of ${normalizeEmail(person.email)}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

function toPersonColumns(person: Consenter) {
  return "userId" in person ? { userId: person.userId } : { email: normalizeEmail(person.email) };
}

function matchesPerson(person: Consenter) {
  return "userId" in person
    ? eq(consents.userId, person.userId)
    : eq(consents.email, normalizeEmail(person.email));
}

const consentFields = {
  purpose: consents.purpose,
  noticeVersion: consents.noticeVersion,
  givenAt: consents.givenAt,
  withdrawnAt: consents.withdrawnAt,
  how: consents.how,
};

/** Lists the state of each purpose that a person ever consented to: their open consent, or the last one. */
export async function listLatestConsents(db: Database, person: Consenter): Promise<Consent[]> {
  return db
    .selectDistinctOn([consents.purpose], consentFields)
    .from(consents)
    .where(matchesPerson(person))
    .orderBy(
      consents.purpose,
      sql`${consents.withdrawnAt} is not null`,
      desc(consents.givenAt),
      desc(consents.noticeVersion),
    );
}

/** Lists a person's newest consents, withdrawn ones too. */
export async function listConsentHistory(
  db: Database,
  person: Consenter,
  limit: number,
): Promise<Consent[]> {
  return db
    .select(consentFields)
    .from(consents)
    .where(matchesPerson(person))
    .orderBy(desc(consents.givenAt), consents.purpose, consents.id)
    .limit(limit);
}

/** Finds a person's consent that is not withdrawn; null without one. */
export async function findOpenConsent(
  db: Database,
  person: Consenter,
  purpose: Purpose,
): Promise<Consent | null> {
  const latest = await listLatestConsents(db, person);
  return latest.find((one) => one.purpose === purpose && one.withdrawnAt === null) ?? null;
}

/**
 * Finds out if a signed-in person still has to accept the current notice.
 *
 * @returns null if they have; otherwise if it is the first notice, and if they never accepted the terms as an adult
 */
export async function findMissingNotice(db: Database, actor: { id: string }) {
  const [accepted] = await acceptedNoticeQuery(db).execute({ id: actor.id });
  const { version = null, hasTerms = false } = accepted ?? {};
  if (version !== null && version >= noticeVersion && hasTerms) return null;
  return { isFirst: version === null, needsTerms: !hasTerms };
}

const acceptedNoticeQuery = createPreparedQuery((db) =>
  db
    .select({
      version: sql<string | null>`max(${consents.noticeVersion})
        filter (where ${consents.purpose} = 'account')`,
      hasTerms: sql<boolean>`count(distinct ${consents.purpose})
        filter (where ${consents.purpose} in ('adult', 'terms')) = 2`,
    })
    .from(consents)
    .where(
      and(
        eq(consents.userId, sql.placeholder("id")),
        sql`${consents.purpose} in ('account', 'adult', 'terms')`,
        isNull(consents.withdrawnAt),
      ),
    )
    .prepare("accepted_notice"),
);
