import { and, eq, isNotNull, isNull, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { isNotBanned } from "../../accounts/actor.server.ts";
import { listStaffByMailChoice } from "../../accounts/mail-choices/mail-choices.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { JobReportedMail } from "../emails.tsx";
import { alertThreshold, reportReasons } from "../rules.ts";
import { jobReports } from "../tables.server.ts";

/** The settings that reports and their emails need. */
export type ReportSettings = Pick<Config, "origin" | "product" | "secrets">;

/** Selects reports that count: open, and of a confirmed account or address. */
export const isCounted = and(eq(jobReports.state, "open"), isNotNull(jobReports.confirmedAt));

/**
 * Marks a listing as reported and emails the god admins, once enough people have reported it. The listing stays public.
 * The caller has locked the listing, so that two concurrent reports send one email.
 */
export async function notifyAdminsIfReported(
  tx: Database,
  { origin, product }: ReportSettings,
  jobId: string,
): Promise<void> {
  if ((await countReporters(tx, jobId)) < alertThreshold) return;
  const reportedAt = now();
  const [job] = await tx
    .update(jobs)
    .set({ reportedAt })
    .where(and(eq(jobs.id, jobId), isOpen, isNull(jobs.reportedAt)))
    .returning({ title: jobs.title, company: jobs.company });
  if (!job) return;
  const reasons = await countReasons(tx, jobId);
  const admins = await listStaffByMailChoice(tx, "god_admin", "job-reported", "at once");
  for (const admin of admins)
    await queueMail(tx, {
      cause: `job-reported:${jobId}:${reportedAt.getTime()}:${admin.id}`,
      to: admin.email,
      subject: `Reported listing: ${job.title}`,
      body: <JobReportedMail product={product} origin={origin} job={job} reasons={reasons} />,
    });
}

/**
 * Counts the people behind a listing's reports: confirmed accounts, or the networks of confirmed addresses, whichever are
 * more. One person can use many addresses, but rarely many networks. People don't count whose earlier report on the
 * listing was dismissed; otherwise three rivals could mark it again and again.
 */
async function countReporters(tx: Database, jobId: string): Promise<number> {
  const { reporterId, email, network } = jobReports;
  const earlier = alias(jobReports, "earlier");
  const wasDismissed = tx
    .select({ id: earlier.id })
    .from(earlier)
    .where(
      and(
        eq(earlier.jobId, jobId),
        eq(earlier.state, "dismissed"),
        or(eq(earlier.reporterId, reporterId), and(isNotNull(email), eq(earlier.network, network))),
      ),
    );
  const isConfirmedAccount = and(users.emailVerified, isNotBanned());
  const [counts] = await tx
    .select({
      accounts:
        sql<number>`count(distinct ${users.id}) filter (where ${isConfirmedAccount})`.mapWith(
          Number,
        ),
      networks: sql<number>`count(distinct ${network}) filter (where ${email} is not null)`.mapWith(
        Number,
      ),
    })
    .from(jobReports)
    .leftJoin(users, eq(users.id, reporterId))
    .where(and(eq(jobReports.jobId, jobId), isCounted, notExists(wasDismissed)));
  return Math.max(counts!.accounts, counts!.networks);
}

/** Counts a listing's open reports by reason, in the order of the form. */
async function countReasons(tx: Database, jobId: string) {
  const rows = await tx
    .select({ reason: jobReports.reason, count: sql<number>`count(*)`.mapWith(Number) })
    .from(jobReports)
    .where(and(eq(jobReports.jobId, jobId), isCounted))
    .groupBy(jobReports.reason);
  return reportReasons.flatMap((reason) => rows.filter((row) => row.reason === reason));
}
