import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { day, now, toIsoDay, toZonedDate } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { Database } from "../../platform/database.server.ts";
import { replyRecords } from "../tables.server.ts";
import { companyKeyPrefix } from "./company-key.ts";

/** The people who answered about a company, and those of them whom it replied to. `within` is two weeks. */
export type ReplyRecord = Pick<typeof replyRecords.$inferSelect, "people" | "within" | "later">;

/**
 * Returns the Mondays, in India, whose records can be read: everyone reads last week's, and the company's members this
 * week's, seven days before the others.
 */
export function getRecordWeeks(moment = now()): { everyone: string; members: string } {
  const sinceMonday = (toZonedDate(moment).getUTCDay() + 6) % 7;
  const monday = moment.getTime() - sinceMonday * day;
  return { everyone: toIsoDay(new Date(monday - 7 * day)), members: toIsoDay(new Date(monday)) };
}

const columns = {
  people: replyRecords.people,
  within: replyRecords.within,
  later: replyRecords.later,
};

/** Finds the public record of a company; null below five people. */
export async function findReplyRecord(
  db: Database,
  companyKey: string,
): Promise<ReplyRecord | null> {
  const [record] = await db
    .select(columns)
    .from(replyRecords)
    .where(
      and(
        eq(replyRecords.companyKey, companyKey),
        eq(replyRecords.week, getRecordWeeks().everyone),
      ),
    );
  return record ?? null;
}

/** Joins the public record of a company with a page. @param companyId the column with its id */
export function isReplyRecordOf(companyId: PgColumn): SQL | undefined {
  return and(
    eq(replyRecords.companyKey, sql`concat(${companyKeyPrefix}::text, ${companyId})`),
    eq(replyRecords.week, getRecordWeeks().everyone),
  );
}

/**
 * Finds the records of a company that everyone and its members read, null below five people, and the week of the members'
 * one.
 */
export async function findMembersRecords(db: Database, companyId: string) {
  const weeks = getRecordWeeks();
  const rows = await db
    .select({ week: replyRecords.week, ...columns })
    .from(replyRecords)
    .where(
      and(
        eq(replyRecords.companyKey, companyKeyPrefix + companyId),
        inArray(replyRecords.week, [weeks.everyone, weeks.members]),
      ),
    );
  const find = (of: string): ReplyRecord | null => rows.find(({ week }) => week === of) ?? null;
  return { everyone: find(weeks.everyone), members: find(weeks.members), week: weeks.members };
}

/** Describes a record: "Most got a reply within 2 weeks (7 of 9)". */
export function describeReplies({ people, within }: ReplyRecord): string {
  const share = within / people;
  const who = share < 0.25 ? "Few" : share < 0.5 ? "Some" : share < 0.75 ? "Many" : "Most";
  return `${who} got a reply within 2 weeks (${within} of ${people})`;
}

/** Describes the later replies: "1 person got a reply later". @returns null for none */
export function describeLateReplies({ later }: ReplyRecord): string | null {
  return later === 0 ? null : `${countNoun(later, "person", "people")} got a reply later`;
}
