import { lt, sql } from "drizzle-orm";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { getRecordWeeks } from "../../jobs/replies/reply-records.server.ts";
import { replyRecords } from "../../jobs/tables.server.ts";
import { day, getDayStart } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import { replyAnswers } from "../tracker/tables.server.ts";

/** Counts the records at the start of Monday in India. After downtime, the next morning catches up. */
export const updateReplyRecordsTask: Task<object> = {
  name: "update-reply-records",
  schedule: "35 18 * * *",
  run: async (_data, { db }) => updateReplyRecords(db),
};

/** With fewer people, a company could guess who answered. */
const minPeople = 5;
const countedDays = 90;
/** New accounts don't count, so that it takes patience to invent answers. */
const minAccountDays = 14;

/**
 * Counts this week's records from the answers before Monday, unless they were counted before: in between, nobody can watch
 * a single answer change them. Deletes answers and records that no longer count.
 */
export async function updateReplyRecords(db: Database): Promise<void> {
  const weeks = getRecordWeeks();
  const until = getDayStart(weeks.members);
  const from = new Date(until.getTime() - countedDays * day);
  const newest = new Date(until.getTime() - minAccountDays * day);
  await db.transaction(async (tx) => {
    // Several processes count at the same time only if one of them was believed lost.
    await tx.execute(sql`lock table ${replyRecords} in share row exclusive mode`);
    await tx.delete(replyRecords).where(lt(replyRecords.week, weeks.everyone));
    await tx.execute(sql`
      insert into ${replyRecords} (company_key, week, people, within, later)
      select company_key, ${weeks.members}::date, count(*),
        count(*) filter (where outcome = 'within'), count(*) filter (where outcome = 'later')
      from (
        select distinct on (${replyAnswers.companyKey}, coalesce(${replyAnswers.userId}, ${replyAnswers.id}))
          ${replyAnswers.companyKey}, ${replyAnswers.outcome}
        from ${replyAnswers} left join ${users} on ${users.id} = ${replyAnswers.userId}
        where ${replyAnswers.at} >= ${from} and ${replyAnswers.at} < ${until}
          and ${replyAnswers.outcome} <> 'withdrawn'
          and (${replyAnswers.userId} is null
            or (${users.emailVerified} and ${users.createdAt} < ${newest} and ${isNotBanned(until)}))
        order by 1, coalesce(${replyAnswers.userId}, ${replyAnswers.id}), ${replyAnswers.at} desc, ${replyAnswers.id}
      ) as latest
      where not exists (select 1 from ${replyRecords} where week = ${weeks.members}::date)
      group by company_key
      having count(*) >= ${minPeople}`);
    await tx.delete(replyAnswers).where(lt(replyAnswers.at, from));
  });
}
