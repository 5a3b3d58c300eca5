import { and, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import { findOpenJobs, type ListedJob } from "../../jobs/find.server.ts";
import { isRejected, queueMail } from "../../mail/deliver-mail.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { Unavailable } from "../../platform/errors.ts";
import { type Log, logFailure } from "../../platform/log.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import {
  listQuestionsToMail,
  recordMailedQuestion,
  type ReplyQuestion,
} from "../tracker/replies.server.ts";
import {
  type Alert,
  type AlertSettings,
  closeAlerts,
  hashAlertAddress,
  isOfNobodyBanned,
  lockAlerts,
} from "./alerts.server.ts";
import {
  buildDigestMail,
  buildDigestSection,
  type DigestSection,
  listDigestCauses,
} from "./digest.server.tsx";
import { createNewJobSearch } from "./find-new-jobs.server.ts";
import { type AlertFrequency, getWindowEnd, jobsPerAlert, maxBounces } from "./rules.ts";
import { alerts } from "./tables.server.ts";

/** Creates the task that sends due alerts. After downtime, the next run catches up. */
export function createSendAlertsTask(config: Config): Task<object> {
  return {
    name: "send-alerts",
    schedule: "*/5 * * * *",
    run: async (_data, { db, log }) => void (await sendDueAlerts({ db, log }, config)),
  };
}

/** The addresses that are read at a time, and those that one transaction locks. */
const addressesPerPage = 1_000;
const addressesPerBatch = 25;

/**
 * Sends one email to each address with due alerts, if there are new jobs. Several processes may run this at the same
 * time: each address is locked while its email is queued and its alerts move on.
 *
 * @returns the number of queued emails
 */
export async function sendDueAlerts(
  app: { db: Database; log: Log },
  config: AlertSettings,
): Promise<number> {
  const run: Run = { config, ends: getWindowEnds(now()), findJobs: createNewJobSearch() };
  let queued = 0;
  let after = "";
  for (;;) {
    const page = await listDueAddresses(app.db, run, after);
    for (let first = 0; first < page.length; first += addressesPerBatch)
      queued += await sendBatch(app, run, page.slice(first, first + addressesPerBatch));
    if (page.length < addressesPerPage) return queued;
    after = page.at(-1)!;
  }
}

type Run = {
  config: AlertSettings;
  /** The end of the latest window of each frequency. */
  ends: Record<AlertFrequency, Date>;
  findJobs: ReturnType<typeof createNewJobSearch>;
};

function getWindowEnds(moment: Date): Run["ends"] {
  return { daily: getWindowEnd("daily", moment), weekly: getWindowEnd("weekly", moment) };
}

async function listDueAddresses(db: Database, { ends }: Run, after: string): Promise<string[]> {
  const isDue = (frequency: AlertFrequency) =>
    and(eq(alerts.frequency, frequency), lt(alerts.sentUntil, ends[frequency]));
  const rows = await db
    .selectDistinct({ email: alerts.email })
    .from(alerts)
    .where(
      and(
        eq(alerts.state, "active"),
        or(isDue("daily"), isDue("weekly")),
        gt(alerts.email, after),
        isOfNobodyBanned(db),
      ),
    )
    .orderBy(alerts.email)
    .limit(addressesPerPage);
  return rows.map(({ email }) => email);
}

/** Sends the emails of some addresses in one transaction. If it fails, each address gets its own. */
async function sendBatch(app: { db: Database; log: Log }, run: Run, emails: readonly string[]) {
  try {
    return await app.db.transaction((tx) => queueDigests(tx, run, emails));
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    if (emails.length === 1) {
      // One failure must not block the others. The next run retries it.
      const address = hashAlertAddress(run.config, emails[0]!);
      logFailure(app.log, error, "job alerts not sent", { address });
      return 0;
    }
  }
  let queued = 0;
  for (const email of emails) queued += await sendBatch(app, run, [email]);
  return queued;
}

/** An address that gets a digest, unless it has no new jobs. */
type Reader = {
  email: string;
  /** Its active alerts. */
  own: Alert[];
  due: Alert[];
  /** True if the mail server rejected its last digest; null if that isn't known. */
  isLastRejected: boolean | null;
  /** The new jobs of each due alert by its id, in the order of the board. */
  matches: Map<string, string[]>;
};

async function queueDigests(tx: Database, run: Run, emails: readonly string[]): Promise<number> {
  await lockAlerts(tx, emails);
  const readers = await listReaders(tx, run, emails);
  for (const reader of readers) await findNewJobs(tx, run, reader);
  const open = await findListedJobs(tx, readers);
  const questions = await listQuestionsToMail(tx, emails);
  let queued = 0;
  for (const reader of readers) {
    const question = questions.get(reader.email) ?? null;
    if (!(await queueDigest(tx, run, reader, { open, question }))) continue;
    queued += 1;
    if (question) await recordMailedQuestion(tx, question);
  }
  await updateSentUntil(tx, run, readers);
  return queued;
}

/** Lists the addresses that are still due. Those whose last emails were rejected lose their alerts instead. */
async function listReaders(tx: Database, { config, ends }: Run, emails: readonly string[]) {
  const rows = await tx
    .select()
    .from(alerts)
    .where(
      and(inArray(alerts.email, [...emails]), eq(alerts.state, "active"), isOfNobodyBanned(tx)),
    )
    .orderBy(alerts.createdAt, alerts.id);
  const digests = await listLastDigests(tx, { config, ends }, emails);
  const readers: Reader[] = [];
  for (const email of emails) {
    const own = rows.filter((alert) => alert.email === email);
    const due = own.filter(({ frequency, sentUntil }) => sentUntil < ends[frequency]);
    const last = digests.get(email);
    // An alert that became daily since today's email waits for the next one.
    const today = listDigestCauses(config, email, ends.daily);
    if (due.length === 0 || (last && today.includes(last.cause))) continue;
    const isLastRejected = last ? last.isRejected : null;
    if (isLastRejected && countBounces(own) + 1 >= maxBounces)
      await closeAlerts(tx, eq(alerts.email, email));
    else readers.push({ email, own, due, isLastRejected, matches: new Map() });
  }
  return readers;
}

function countBounces(own: readonly Alert[]): number {
  return Math.max(...own.map(({ bounces }) => bounces));
}

/** Emails are deleted after a month. */
const rememberedDays = 30;

type LastDigest = { cause: string; isRejected: boolean | null };

/** Finds the last digest of each address, by the names that it can have. */
async function listLastDigests(
  tx: Database,
  { config, ends }: Pick<Run, "config" | "ends">,
  emails: readonly string[],
): Promise<Map<string, LastDigest>> {
  const causes = emails.flatMap((email) =>
    Array.from({ length: rememberedDays }, (_, ago) =>
      listDigestCauses(config, email, new Date(ends.daily.getTime() - ago * day)),
    ).flat(),
  );
  const rows = await tx
    .select({
      email: mails.recipient,
      cause: mails.cause,
      isRejected: sql<boolean | null>`case
        when ${mails.sentAt} is not null then false
        when ${mails.droppedAt} is null and ${isRejected()} then true end`,
    })
    .from(mails)
    .where(inArray(mails.cause, causes))
    .orderBy(mails.createdAt);
  return new Map(rows.map(({ email, ...digest }) => [email, digest]));
}

/** Finds the new jobs of a reader's due alerts, without those that an alert of theirs has sent. */
async function findNewJobs(tx: Database, { ends, findJobs }: Run, { due, matches }: Reader) {
  for (const { id, query, frequency, sentUntil, sentJobIds } of due) {
    const window = { from: getWindowStart(frequency, sentUntil, ends), until: ends[frequency] };
    const jobs = await findJobs(tx, query, window);
    const old = new Set(sentJobIds);
    const isNew = (job: (typeof jobs)[number]) => job.publishedAt > sentUntil && !old.has(job.id);
    matches.set(
      id,
      jobs.filter(isNew).map((job) => job.id),
    );
  }
}

/** Returns the start of the window that most alerts share, so that they share a search, or an earlier one. */
function getWindowStart(frequency: AlertFrequency, sentUntil: Date, ends: Run["ends"]): Date {
  const usual = new Date(ends[frequency].getTime() - (frequency === "daily" ? day : 7 * day));
  return sentUntil < usual ? sentUntil : usual;
}

/** The candidates that are read for each alert. Some may have been closed since the search. */
const maxCandidates = 2 * jobsPerAlert;

/** Finds the open ones of the jobs that emails may list, by their ids. */
async function findListedJobs(tx: Database, readers: readonly Reader[]) {
  const ids = readers.flatMap(({ matches }) =>
    [...matches.values()].flatMap((jobs) => listFirstJobs(jobs, matches)),
  );
  const open = await findOpenJobs(tx, [...new Set(ids)]);
  return new Map(open.map((job) => [job.id, job]));
}

/** Lists an alert's first jobs, more of them if other alerts of the reader may list the same ones. */
function listFirstJobs(jobs: readonly string[], matches: Reader["matches"]): string[] {
  return jobs.slice(0, maxCandidates + jobsPerAlert * (matches.size - 1));
}

/** Queues the email of a reader. Returns false if nothing is new. */
async function queueDigest(
  tx: Database,
  run: Run,
  reader: Reader,
  { open, question }: { open: ReadonlyMap<string, ListedJob>; question: ReplyQuestion | null },
): Promise<boolean> {
  const [first, ...others] = buildSections(run.config, reader, open);
  if (!first) return false;
  const { email, isLastRejected } = reader;
  const digest = { sections: [first, ...others] as const, end: run.ends.daily, question };
  await queueMail(tx, buildDigestMail(run.config, email, digest));
  await recordSentJobs(tx, reader, digest.sections);
  if (isLastRejected !== null) await recordLastDigest(tx, reader, isLastRejected);
  return true;
}

/** Lists the new jobs of each due alert. A job that an earlier one lists isn't listed again. */
function buildSections(
  config: AlertSettings,
  { due, matches }: Reader,
  open: ReadonlyMap<string, ListedJob>,
): DigestSection[] {
  const listed = new Set<string>();
  return due.flatMap((alert) => {
    const all = matches.get(alert.id) ?? [];
    const candidates = listFirstJobs(all, matches);
    const jobs = candidates
      .flatMap((id) => (listed.has(id) ? [] : (open.get(id) ?? [])))
      .slice(0, jobsPerAlert);
    if (jobs.length === 0) return [];
    const leftOut = candidates.filter((id) => listed.has(id) || !open.has(id));
    for (const { id } of jobs) listed.add(id);
    return [buildDigestSection(config, alert, { jobs, count: all.length - leftOut.length })];
  });
}

/** Records the jobs of this email with the reader's alerts that aren't due, which would send them again. */
async function recordSentJobs(
  tx: Database,
  { own, due }: Reader,
  sections: readonly DigestSection[],
): Promise<void> {
  const later = own.filter((alert) => !due.includes(alert)).map(({ id }) => id);
  if (later.length === 0) return;
  const ids = sections.flatMap(({ jobs }) => jobs.map(({ id }) => id));
  await tx
    .update(alerts)
    .set({ sentJobIds: sql`${alerts.sentJobIds} || ${`{${ids.join(",")}}`}::uuid[]` })
    .where(inArray(alerts.id, later));
}

/** Counts the result of the reader's last digest, once: from now on, this one is the last. */
async function recordLastDigest(tx: Database, { email, own }: Reader, isLastRejected: boolean) {
  const bounces = isLastRejected ? countBounces(own) + 1 : 0;
  if (own.every((alert) => alert.bounces === bounces)) return;
  await tx
    .update(alerts)
    .set({ bounces })
    .where(and(eq(alerts.email, email), eq(alerts.state, "active")));
}

/** Moves the due alerts to the end of their window, also if they had no new jobs. */
async function updateSentUntil(tx: Database, { ends }: Run, readers: readonly Reader[]) {
  const due = readers.flatMap((reader) => reader.due);
  for (const frequency of ["daily", "weekly"] as const) {
    const ids = due.filter((alert) => alert.frequency === frequency).map(({ id }) => id);
    if (ids.length > 0)
      await tx
        .update(alerts)
        .set({ sentUntil: ends[frequency], sentJobIds: [] })
        .where(inArray(alerts.id, ids));
  }
}
