import { createHash, randomUUID } from "node:crypto";
import { and, eq, inArray, sql, TransactionRollbackError } from "drizzle-orm";
import { createCompany } from "../../companies/create-company.server.ts";
import { lockCompany } from "../../companies/own-companies.server.ts";
import { companies } from "../../companies/tables.server.ts";
import { findStoppedListings } from "../../jobs/contact/stopped-contacts.server.ts";
import { isOpen } from "../../jobs/find.server.ts";
import { recordFeedChecks } from "../../jobs/job-checks.server.ts";
import { jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import type { Leases } from "../../platform/leases.server.ts";
import { toSearchForm } from "../../platform/text/text.ts";
import { toDraftValues } from "../listing-form.server.ts";
import { unpublishedStates } from "../rules.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";
import { closeMissingJobs } from "./close-missing.server.ts";
import {
  countNames,
  type ImportOptions,
  type ImportReport,
  type ImportSettings,
  type Run,
} from "./import-run.server.ts";
import { findAction, findKnownJobs, type KnownJob, messages } from "./known-jobs.server.ts";
import { readSourceFile } from "./read-file.server.ts";
import { sendChangedText } from "./send-change.server.ts";
import type { SourceFile, SourceRow } from "./source-rows.server.ts";

/** Each batch is a transaction, so that an import that is stopped can be run again. */
const batchSize = 500;

/**
 * Imports the jobs of a file as listings that wait for an admin. A job that didn't change since its last import changes
 * nothing. Runs for one company don't overlap.
 *
 * @throws {Invalid} with a sentence for a file that can't be read, and for an unknown company
 * @throws {Conflict} for a hidden company, and while another import of the company runs
 */
export async function importJobs(
  parts: {
    db: Database;
    leases: Leases;
    settings: ImportSettings;
    logProgress: (line: string) => void;
  },
  text: string,
  options: ImportOptions,
): Promise<ImportReport> {
  const { db, leases, ...rest } = parts;
  const existing = await findImportCompany(db, options);
  const name = existing?.name ?? options.newCompany!.name;
  const file = readSourceFile(text, { provider: options.provider, company: name });
  const report = createReport(name, file, !options.dryRun);
  const run = async (handle: Database, isStopped: () => boolean) => {
    const { id } =
      existing ?? (await createCompany(handle, { slug: options.slug, ...options.newCompany! }));
    const job: Run = {
      ...rest,
      db: handle,
      options,
      report,
      company: { id, name },
      file,
      isStopped,
    };
    await importFile(job);
    if (options.closeMissing) await closeMissing(job);
  };
  if (options.dryRun) await runDry(db, (tx) => run(tx, () => false));
  else await runAlone(leases, options.slug, (isStopped) => run(db, isStopped));
  return report;
}

async function findImportCompany(db: Database, { slug, newCompany }: ImportOptions) {
  const [company] = await db
    .select({ id: companies.id, name: companies.name, state: companies.state })
    .from(companies)
    .where(eq(companies.slug, slug));
  if (company?.state === "hidden") throw new Conflict("This company is hidden.");
  if (company || newCompany) return company;
  const all = await db.select({ slug: companies.slug }).from(companies).orderBy(companies.slug);
  const slugs = all.slice(0, maxListed).map((one) => one.slug);
  throw new Invalid({
    company: [
      `There is no company “${slug}”.`,
      ...(slugs.length > 0
        ? [`Known are: ${slugs.join(", ")}${all.length > maxListed ? " …" : ""}.`]
        : []),
      "To add one, use --create-company NAME and --website ADDRESS.",
    ].join(" "),
  });
}

const maxListed = 20;

function createReport(company: string, file: SourceFile, isDone: boolean): ImportReport {
  return {
    company,
    isDone,
    counts: { ...zeroCounts, refused: file.refused.length },
    refused: file.refused.map(({ line, problem }) => ({ line, problem })),
    remarks: [],
    ignoredColumns: file.ignoredColumns,
  };
}

const zeroCounts = Object.fromEntries(
  countNames.map((name) => [name, 0]),
) as ImportReport["counts"];

/** Runs all in one transaction and takes it back, so that a dry run says exactly what a real one does. */
async function runDry(db: Database, run: (tx: Database) => Promise<void>): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await run(tx);
      tx.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
}

async function runAlone(
  leases: Leases,
  slug: string,
  run: (isStopped: () => boolean) => Promise<void>,
): Promise<void> {
  let isWanted = false;
  const lease = await leases.take(`import ${slug}`, () => (isWanted = true));
  if (!lease)
    throw new Conflict(
      "Another import for this company is running. Run this one when it has ended.",
    );
  try {
    await run(() => isWanted);
  } finally {
    await lease.giveBack();
  }
}

async function importFile(run: Run): Promise<void> {
  const { db, file, report, company, logProgress } = run;
  const titles = await listTitles(db, company.id);
  for (let start = 0; start < file.rows.length; start += batchSize) {
    if (run.isStopped())
      throw new Conflict("This import was too slow and lost its turn. Run it again.");
    const before = { ...report.counts };
    const rows = file.rows.slice(start, start + batchSize);
    await db.transaction(async (tx) => {
      await lockForImport(tx, company.id);
      await importBatch(tx, run, rows, titles);
      await recordImport(tx, run, before);
    });
    if (file.rows.length > batchSize)
      logProgress(`${start + rows.length} of ${file.rows.length} jobs`);
  }
}

/** Writes what a transaction changed to the history. */
async function recordImport(tx: Database, run: Run, before: ImportReport["counts"]): Promise<void> {
  const changes = (["new", "changed", "missing", "closed"] as const).flatMap((name) => {
    const count = run.report.counts[name] - before[name];
    return count > 0 ? [[name, count]] : [];
  });
  if (changes.length === 0) return;
  await recordAuditEvents(tx, [
    {
      actor: "operator",
      event: "listing.import",
      subject: { type: "company", id: run.company.id },
      after: { from: run.options.provider, ...Object.fromEntries(changes) },
    },
  ]);
}

/**
 * Makes decisions of admins and changes of members wait until the transaction ends. The removal of a contact waits first,
 * as in all transactions that then lock a company.
 */
async function lockForImport(tx: Database, companyId: string): Promise<void> {
  await tx.execute(sql`lock table ${stoppedContacts} in share mode`);
  await lockCompany(tx, companyId);
}

async function closeMissing(run: Run): Promise<void> {
  const before = { ...run.report.counts };
  await run.db.transaction(async (tx) => {
    await lockForImport(tx, run.company.id);
    await closeMissingJobs(tx, run);
    await recordImport(tx, run, before);
  });
}

/** Lists the titles of a company's open and waiting listings in a comparable form. */
async function listTitles(db: Database, companyId: string): Promise<Set<string>> {
  const open = await db
    .select({ title: jobs.title })
    .from(jobs)
    .where(and(eq(jobs.companyId, companyId), isOpen));
  const undecided = await db
    .select({ title: sql<string>`coalesce(${jobSubmissions.fields} ->> 'title', '')` })
    .from(jobSubmissions)
    .where(
      and(
        eq(jobSubmissions.companyId, companyId),
        inArray(jobSubmissions.state, [...unpublishedStates]),
      ),
    );
  return new Set([...open, ...undecided].map(({ title }) => toSearchForm(title)));
}

async function importBatch(
  tx: Database,
  run: Run,
  rows: readonly SourceRow[],
  titles: Set<string>,
): Promise<void> {
  const { report, company, settings, options } = run;
  const stopped = await findStoppedListings(
    tx,
    settings,
    rows.map(({ fields }) => toDraftValues(fields, company.name)),
  );
  const matches = await findKnownJobs(tx, run, rows);
  // Listings are locked before what waits for them, as by their deletion.
  const jobIds = [...matches.values()].flatMap(({ companyId, job }) =>
    companyId === company.id && job?.isOpen ? [job.id] : [],
  );
  report.counts.checked += await recordFeedChecks(tx, jobIds, settings);
  const written: WrittenSource[] = [];
  for (const [place, row] of rows.entries()) {
    const match = matches.get(row) ?? null;
    const problem = stopped.includes(place) ? namesStopped : findOwnerProblem(match, company.id);
    if (problem) {
      report.counts.refused += 1;
      report.refused.push({ line: row.line, problem });
    } else written.push(await importRow(tx, run, { row, match, titles }));
  }
  await insertSubmissions(tx, company.id, written);
  await insertSources(tx, { companyId: company.id, provider: options.provider }, written);
}

const namesStopped = "It names a contact who had their name removed. Name another person.";

function findOwnerProblem(match: KnownJob | null, companyId: string): string | null {
  return match && match.companyId !== companyId
    ? "It belongs to another company here. Check --company."
    : null;
}

/** A row of the file with what its source should know. */
type WrittenSource = {
  row: SourceRow;
  hash: string;
  submissionId: string | null;
  jobId: string | null;
  /** The listing that waits for an admin, if it is new. */
  submission: { id: string; fields: SourceRow["fields"] } | null;
};

async function importRow(
  tx: Database,
  { report: { counts, remarks }, company }: Run,
  { row, match, titles }: { row: SourceRow; match: KnownJob | null; titles: Set<string> },
): Promise<WrittenSource> {
  const hash = createRowHash(row);
  const action = match ? findAction(match, hash) : "create";
  const outcome = { row, hash, submission: null };
  const same = {
    ...outcome,
    submissionId: match?.submission?.id ?? null,
    jobId: match?.jobId ?? null,
  };
  if (action === "create") {
    counts.new += 1;
    const title = toSearchForm(row.fields.title ?? "");
    if (titles.has(title))
      remarks.push({
        line: row.line,
        remark: "Another listing of the company has the same title.",
      });
    titles.add(title);
    const id = randomUUID();
    return { ...outcome, submissionId: id, jobId: null, submission: { id, fields: row.fields } };
  }
  if (action === "send") {
    const change = await sendChangedText(tx, {
      companyId: company.id,
      match: match!,
      fields: row.fields,
    });
    counts[change.count] += 1;
    if (change.count === "kept") remarks.push({ line: row.line, remark: messages.changedHere });
    return { ...same, ...change.columns, hash: change.count === "kept" ? match!.hash! : hash };
  }
  counts[action === "unchanged" ? "unchanged" : "kept"] += 1;
  if (action !== "unchanged") remarks.push({ line: row.line, remark: action });
  return { ...same, hash: action === "unchanged" ? hash : (match!.hash ?? hash) };
}

/** Returns a hash of the fields, to find changed rows. */
function createRowHash({ fields }: SourceRow): string {
  const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

async function insertSubmissions(
  tx: Database,
  companyId: string,
  written: readonly WrittenSource[],
): Promise<void> {
  const at = now();
  const created = written.flatMap(({ submission }) => submission ?? []);
  if (created.length === 0) return;
  await tx.insert(jobSubmissions).values(
    created.map((submission) => ({
      ...submission,
      companyId,
      source: "import" as const,
      state: "waiting" as const,
      createdAt: at,
      updatedAt: at,
      sentAt: at,
    })),
  );
}

async function insertSources(
  tx: Database,
  of: Pick<typeof jobSources.$inferInsert, "companyId" | "provider">,
  written: readonly WrittenSource[],
): Promise<void> {
  if (written.length === 0) return;
  const seenAt = now();
  const fromRow = (name: string) => sql.raw(`excluded.${name}`);
  await tx
    .insert(jobSources)
    .values(
      written.map(({ row: { board, externalId, url }, hash, submissionId, jobId }) => ({
        ...of,
        board: board ?? of.companyId,
        externalId,
        url,
        hash,
        submissionId,
        jobId,
        seenAt,
      })),
    )
    .onConflictDoUpdate({
      target: [jobSources.provider, jobSources.board, jobSources.externalId],
      set: {
        url: fromRow("url"),
        hash: fromRow("hash"),
        submissionId: fromRow("submission_id"),
        jobId: fromRow("job_id"),
        seenAt,
        missingSince: null,
      },
    });
}
