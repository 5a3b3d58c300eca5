import {
  describeLateReplies,
  describeReplies,
  findMembersRecords,
  type ReplyRecord,
} from "../../jobs/replies/reply-records.server.ts";
import { day, formatShortDate, getDayStart } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";

/** The record of replies of a company: what everyone reads now, and what they will read. */
export type OwnReplies = { company: string; now: string | null; next: string; nextFrom: string };

/** Lists the records of a member's companies. Those without any are left out. */
export async function listOwnReplies(
  db: Database,
  companies: readonly { id: string; name: string }[],
): Promise<OwnReplies[]> {
  const all = await Promise.all(
    companies.map(async ({ id, name }) => ({ name, ...(await findMembersRecords(db, id)) })),
  );
  return all
    .filter(({ everyone, members }) => everyone ?? members)
    .map(({ name, everyone, members, week }) => ({
      company: name,
      now: everyone && describeRecord(everyone),
      next: members ? describeRecord(members) : "Nothing, because fewer than five people answered.",
      nextFrom: formatShortDate(new Date(getDayStart(week).getTime() + 7 * day)),
    }));
}

function describeRecord(record: ReplyRecord): string {
  return [describeReplies(record), describeLateReplies(record)]
    .flatMap((sentence) => (sentence === null ? [] : `${sentence}.`))
    .join(" ");
}
