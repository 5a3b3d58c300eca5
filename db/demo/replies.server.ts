import { eq } from "drizzle-orm";
import { companies } from "../../app/companies/tables.server.ts";
import { toCompanyKey } from "../../app/jobs/replies/company-key.ts";
import { getRecordWeeks } from "../../app/jobs/replies/reply-records.server.ts";
import { replyRecords } from "../../app/jobs/tables.server.ts";
import { day } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { replyAnswers } from "../../app/seekers/tracker/tables.server.ts";

/** The answers about Chaupal Health, with the days since then. The last one isn't public yet. */
const answers = [
  ["within", 41],
  ["within", 36],
  ["not-yet", 33],
  ["within", 29],
  ["within", 27],
  ["later", 24],
  ["within", 22],
  ["within", 19],
  ["within", 16],
  ["within", 7],
] as const;

/** Loads the record of replies of Chaupal Health, from answers of people whose accounts are closed. */
export async function loadDemoReplies(tx: Database, moment: Date): Promise<void> {
  const [chaupal] = await tx
    .select({ companyId: companies.id, company: companies.name })
    .from(companies)
    .where(eq(companies.slug, "chaupal-health"));
  const companyKey = toCompanyKey(chaupal!);
  await tx.insert(replyAnswers).values(
    answers.map(([outcome, daysAgo]) => ({
      companyKey,
      outcome,
      at: new Date(moment.getTime() - daysAgo * day),
    })),
  );
  const { everyone, members } = getRecordWeeks(moment);
  await tx.insert(replyRecords).values([
    { companyKey, week: everyone, people: 9, within: 7, later: 1 },
    { companyKey, week: members, people: 10, within: 8, later: 1 },
  ]);
}
