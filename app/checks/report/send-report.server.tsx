import { randomUUID } from "node:crypto";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import { z } from "zod";
import { isOpen } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { queueMailToTypedAddress } from "../../mail/typed-addresses.server.ts";
import { hour, now } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import type { RateLimit } from "../../platform/rate-limit.server.ts";
import { buildSignedId } from "../../platform/signed-ids.server.ts";
import { isSuspectedSpam } from "../../platform/spam-trap.server.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { createFieldLengthCheck, line, lines } from "../../platform/text/text-fields.server.ts";
import { ReportConfirmationMail } from "../emails.tsx";
import { maxReportLength, reportReasons } from "../rules.ts";
import { jobReports } from "../tables.server.ts";
import { type ReportSettings, notifyAdminsIfReported } from "./alert.server.tsx";
import { getNetworkHash } from "./networks.server.ts";

const invalidEmail = "Please enter a valid email address.";

/** The report form. Only visitors send an email address. The last two fields are the spam trap. */
export const reportForm = z
  .object({
    reason: z.enum(reportReasons, "Choose a reason"),
    text: lines.pipe(
      z
        .string()
        .refine(
          createFieldLengthCheck(maxReportLength),
          `Enter at most ${maxReportLength} characters`,
        ),
    ),
    email: line
      .transform(normalizeEmail)
      .pipe(z.email(invalidEmail).max(254, invalidEmail))
      .optional(),
    topic: z.string().default(""),
    renderedAt: z.string().default(""),
  })
  .refine(({ reason, text }) => reason !== "other" || text !== "", {
    path: ["text"],
    message: "Tell us what is wrong with this listing",
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === "reason"),
  });

/** A person sends at most five reports an hour, and so does a network of visitors. */
export const reportByPerson: RateLimit = { name: "report-person", max: 5, windowMs: hour };
export const reportByClient: RateLimit = { name: "report-client", max: 5, windowMs: hour };
export const reportByAddress: RateLimit = { name: "report-address", max: 5, windowMs: hour };

type Sending = {
  jobId: string;
  form: z.output<typeof reportForm>;
  /** The signed-in person; null for a visitor, who has to confirm the report. */
  reporterId: string | null;
  clientAddress: string;
};

/**
 * Stores a report on an open listing. The reporter's open report on the same listing is updated. A visitor gets an email
 * to confirm it. Suspected spam is ignored, but gets the same response.
 *
 * @throws {NotFound} for a listing that isn't public
 * @throws {Invalid} for a visitor without an email address
 */
export async function sendReport(
  db: Database,
  config: ReportSettings,
  { jobId, form, reporterId, clientAddress }: Sending,
): Promise<void> {
  if (reporterId === null && form.email === undefined) throw new Invalid({ email: invalidEmail });
  const moment = now();
  const isSpam = isSuspectedSpam(form, moment);
  await db.transaction(async (tx) => {
    const job = await lockOpenJob(tx, jobId);
    if (isSpam) return;
    const content = {
      reason: form.reason,
      text: form.text,
      network: await getNetworkHash(tx, config, jobId, clientAddress),
    };
    if (reporterId !== null) {
      const isOwn = eq(jobReports.reporterId, reporterId);
      if (await updateOpenReport(tx, jobId, isOwn, content)) return;
      const times = { createdAt: moment, confirmedAt: moment };
      await tx.insert(jobReports).values({ jobId, reporterId, ...content, ...times });
      await notifyAdminsIfReported(tx, config, jobId);
      return;
    }
    const email = form.email!;
    // A confirmed report changes only when the new one is confirmed: anyone can enter any address.
    const isOwn = and(eq(jobReports.email, email), isNull(jobReports.confirmedAt));
    const renewed = { ...content, createdAt: moment };
    let id = await updateOpenReport(tx, jobId, isOwn, renewed);
    if (id === null) {
      id = randomUUID();
      await tx.insert(jobReports).values({ id, jobId, email, ...renewed });
    }
    await queueReportConfirmation(tx, config, { id, email, job, moment });
  });
}

/** Locks the listing, so that concurrent reports, confirmations and decisions run one after the other. */
async function lockOpenJob(tx: Database, jobId: string) {
  const [job] = isUuid(jobId)
    ? await tx
        .select({ title: jobs.title, company: jobs.company })
        .from(jobs)
        .where(and(eq(jobs.id, jobId), isOpen))
        .for("no key update")
    : [];
  if (!job) throw new NotFound("Job Not Found");
  return job;
}

/** Returns the id of the updated report, or null if there is none. */
async function updateOpenReport(
  tx: Database,
  jobId: string,
  isOwn: SQL | undefined,
  fields: Partial<typeof jobReports.$inferInsert>,
): Promise<string | null> {
  const [updated] = await tx
    .update(jobReports)
    .set(fields)
    .where(and(eq(jobReports.jobId, jobId), eq(jobReports.state, "open"), isOwn))
    .returning({ id: jobReports.id });
  return updated?.id ?? null;
}

async function queueReportConfirmation(
  tx: Database,
  config: ReportSettings,
  {
    id,
    email,
    job,
    moment,
  }: { id: string; email: string; job: { title: string; company: string }; moment: Date },
): Promise<void> {
  await queueMailToTypedAddress(tx, ["report-confirmation"], {
    cause: `report-confirmation:${id}:${Math.floor(moment.getTime() / hour)}`,
    to: email,
    subject: "Confirm your report",
    body: (
      <ReportConfirmationMail
        product={config.product}
        job={job}
        link={config.origin + buildReportPath(config, id)}
      />
    ),
  });
}

/** The purpose of the signature in a visitor's link. */
export const reportLink = "report";

/** Builds the path where a visitor confirms a report. */
export function buildReportPath(config: Pick<ReportSettings, "secrets">, id: string): OwnPath {
  return `/jobs/report/${buildSignedId(config, reportLink, id)}`;
}
