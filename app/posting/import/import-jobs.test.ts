import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, asc, eq, sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { answerTo } from "../../../tests/support/product/operator.ts";
import { company, member, submission } from "../../../tests/support/rows/companies.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { companies } from "../../companies/tables.server.ts";
import { hashContactAddress } from "../../jobs/contact/contact-address.server.ts";
import { archiveJob, updateJob } from "../../jobs/manage/job-commands.server.ts";
import { jobChecks, jobs, stoppedContacts } from "../../jobs/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { type Leases, openLeases } from "../../platform/leases.server.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { toDecisionSettings } from "../create-submitted-job.server.tsx";
import { approveSubmissions, returnSubmission } from "../decide/decide-submissions.server.tsx";
import { saveDraft, sendSubmission, withdrawSubmission } from "../own/change-submission.server.ts";
import { maxWaiting } from "../rules.ts";
import { jobSources, jobSubmissions } from "../tables.server.ts";
import { importJobs } from "./import-jobs.server.ts";
import type { ImportReport } from "./import-run.server.ts";

const { db, gita, asha } = await testPeople();
const config = testConfig();
const settings = toDecisionSettings(config);
afterEach(() => void vi.useRealTimers());

const folder = mkdtempSync(join(tmpdir(), "import-"));

const job = (number: number, fields: Record<string, unknown> = {}) => ({
  id: `job-${number}`,
  url: `https://example.in/jobs/${number}`,
  title: `Letterer ${number}`,
  location: "Pune",
  jobType: "Full-time",
  description: "You paint the signs of shops that have never had one.",
  ...fields,
});

type Row = Record<string, unknown>;

async function runImport(
  slug: string,
  rows: Row[] | string,
  {
    from = "json",
    options = [],
    parts = {},
  }: { from?: string; options?: string[]; parts?: object } = {},
) {
  const path = join(folder, "jobs");
  writeFileSync(path, typeof rows === "string" ? rows : JSON.stringify(rows, null, 1));
  const args = ["jobs", "import", path, "--from", from, "--company", slug, ...options];
  const answer = await answerTo(db, args, { app: { db, config, log: null as never }, ...parts });
  return { ...answer, ...(answer.data as ImportReport) };
}

/** A listing that waits as the admin read it. */
const toRead = ({ id, version }: { id: string; version: number }) => ({ id, version });

/** The counts that aren't zero. */
const countsOf = ({ counts }: ImportReport) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

const listSubmissions = (companyId: string) =>
  db
    .select()
    .from(jobSubmissions)
    .where(eq(jobSubmissions.companyId, companyId))
    .orderBy(asc(sql`fields ->> 'title'`), asc(jobSubmissions.createdAt));

async function publishAll(companyId: string): Promise<void> {
  const waiting = await listSubmissions(companyId);
  const read = waiting.filter(({ state }) => state === "waiting").map(toRead);
  const { refusals } = await approveSubmissions(db, gita, read, settings);
  expect(refusals).toEqual([]);
}

const listJobs = (companyId: string) =>
  db.select().from(jobs).where(eq(jobs.companyId, companyId)).orderBy(asc(jobs.title));

/** Every row of every table, without the times at which jobs were seen. */
async function readAllTables(): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'leases' order by 1`,
  );
  const tables: unknown[] = [];
  for (const { name } of rows) {
    const all = await db.execute(
      sql`select to_jsonb(t) - 'seen_at' as row from ${sql.identifier(name)} t order by to_jsonb(t)::text`,
    );
    tables.push([name, all.rows]);
  }
  return JSON.stringify(tables);
}

test("imported jobs wait for an admin, beyond the limit of a company, and importing again changes nothing", async () => {
  const own = await company(db);
  const rows = [1, 2, 3, 4, 5, 6, 7].map((number) => job(number));
  expect(rows.length).toBeGreaterThan(maxWaiting);
  const first = await runImport(own.slug, rows);
  expect(countsOf(first)).toEqual({ new: 7 });
  expect(first.failed).toBe(false);
  expect(first.text).toContain(`7 listings to publish: ${config.origin}/admin/jobs/waiting`);
  const waiting = await listSubmissions(own.id);
  expect(waiting).toHaveLength(7);
  expect(waiting[0]).toMatchObject({
    state: "waiting",
    source: "import",
    submittedBy: null,
    version: 1,
    fields: { title: "Letterer 1", portalApplicationLink: "https://example.in/jobs/1" },
  });
  expect(await listJobs(own.id)).toEqual([]);
  const before = await readAllTables();
  expect(countsOf(await runImport(own.slug, rows))).toEqual({ unchanged: 7 });
  expect(await readAllTables()).toBe(before);

  await publishAll(own.id);
  const published = await readAllTables();
  expect(countsOf(await runImport(own.slug, rows))).toEqual({ unchanged: 7 });
  expect(await readAllTables()).toBe(published);
});

test("a dry run says what would happen, and writes nothing", async () => {
  const own = await company(db);
  const before = await readAllTables();
  const rows = [job(1), job(2, { title: "" }), job(3)];
  const dry = await runImport(own.slug, rows, { options: ["--dry-run", "--close-missing"] });
  expect(await readAllTables()).toBe(before);
  expect(dry.text).toContain("Nothing was changed.");
  const real = await runImport(own.slug, rows, { options: ["--close-missing"] });
  expect(dry.counts).toEqual(real.counts);
  expect(dry.refused).toEqual(real.refused);
  expect(real.text).toContain("Line 10, not imported: title: Job title must be at least 3");
  expect(real.failed).toBe(true);
});

test("a published listing has the hour of approval, the source's page and a check by the feed, and it lapses", async () => {
  const own = await company(db);
  await runImport(own.slug, [job(1)]);
  const start = now().getTime();
  const moveClock = (time: number) => vi.useFakeTimers({ now: start + time, toFake: ["Date"] });
  moveClock(day);
  await publishAll(own.id);
  const [listing] = await listJobs(own.id);
  expect(listing).toMatchObject({
    postedAt: new Date(start + day),
    checkedAt: new Date(start + day),
    portalApplicationLink: "https://example.in/jobs/1",
    lapses: true,
    createdBy: gita.id,
  });
  const isOfListing = eq(jobChecks.jobId, listing!.id);
  expect(await db.select().from(jobChecks).where(isOfListing)).toMatchObject([
    { kind: "feed", result: "open", actorId: null },
  ]);
  // Each import after a day is a check, which moves the end.
  moveClock(3 * day);
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ unchanged: 1, checked: 1 });
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ unchanged: 1 });
  const [seen] = await listJobs(own.id);
  expect(seen!.liveUntil!.getTime() - listing!.liveUntil!.getTime()).toBe(2 * day);
  // It leaves the board without an import. Once it is in the file again, it waits again.
  await db
    .update(jobs)
    .set({ liveUntil: sql`now() - interval '1 minute'` })
    .where(eq(jobs.id, listing!.id));
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ new: 1 });
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ unchanged: 1 });
});

test("a changed job replaces the text that waits, and one that was returned is sent again only then", async () => {
  const own = await company(db);
  await runImport(own.slug, [job(1)]);
  const [waiting] = await listSubmissions(own.id);
  await returnSubmission(db, gita, { ...toRead(waiting!), reason: "Say what you pay." }, settings);
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ unchanged: 1 });
  expect(await listSubmissions(own.id)).toMatchObject([{ state: "returned", version: 2 }]);
  const paid = [job(1, { compensation: "₹30,000 a month" })];
  expect(countsOf(await runImport(own.slug, paid))).toEqual({ changed: 1 });
  const [sent] = await listSubmissions(own.id);
  expect(sent).toMatchObject({ id: waiting!.id, state: "waiting", version: 3, reason: null });
  expect(sent!.fields.compensation).toBe("₹30,000 a month");
  // An admin who read the earlier text doesn't publish this one.
  const late = await approveSubmissions(db, gita, [toRead(waiting!)], settings);
  expect(late.published).toBe(0);
});

test("a job that changed after it was published is a change that waits, and keeps what staff added", async () => {
  const own = await company(db);
  await runImport(own.slug, [job(1)]);
  await publishAll(own.id);
  const [listing] = await listJobs(own.id);
  const contact = { pocName: "Lalita Rao", pocContact: "lalita@example.com" };
  await updateJob(db, gita, listing!.id, { ...listing!, ...contact } as never);
  expect(countsOf(await runImport(own.slug, [job(1, { title: "Sign Painter" })]))).toEqual({
    changed: 1,
  });
  const [unchanged] = await listJobs(own.id);
  expect(unchanged).toMatchObject({ title: "Letterer 1", ...contact });
  const change = (await listSubmissions(own.id)).find(({ state }) => state === "waiting");
  expect(change).toMatchObject({
    jobId: listing!.id,
    fields: { title: "Sign Painter", ...contact },
  });
  // The next version replaces the change that waits.
  await runImport(own.slug, [job(1, { title: "Shop Painter" })]);
  await publishAll(own.id);
  expect(await listJobs(own.id)).toMatchObject([{ title: "Shop Painter", ...contact }]);
});

test("what a member changes is not overwritten", async () => {
  const own = await company(db);
  await member(db, own, asha);
  await runImport(own.slug, [job(1)]);
  const [waiting] = await listSubmissions(own.id);
  await withdrawSubmission(db, asha, waiting!.id);
  const changed = [job(1, { title: "Sign Painter" })];
  const during = await runImport(own.slug, changed);
  expect(countsOf(during)).toEqual({ kept: 1 });
  expect(during.remarks).toMatchObject([{ line: 2 }]);
  const fields = { ...waiting!.fields, pocName: "Lalita Rao", pocContact: "lalita@example.com" };
  await saveDraft(db, asha, { id: waiting!.id, version: 2, fields });
  await sendSubmission(db, asha, { id: waiting!.id, version: 3 }, settings);
  expect(countsOf(await runImport(own.slug, changed))).toEqual({ kept: 1 });
  expect(await listSubmissions(own.id)).toMatchObject([
    { state: "waiting", source: "form", fields: { title: "Letterer 1", pocName: "Lalita Rao" } },
  ]);
});

test("a listing that staff closed stays closed", async () => {
  const own = await company(db);
  await runImport(own.slug, [job(1)]);
  await publishAll(own.id);
  const [listing] = await listJobs(own.id);
  await archiveJob(db, gita, listing!.id);
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ unchanged: 1 });
  const changed = await runImport(own.slug, [job(1, { title: "Sign Painter" })]);
  expect(countsOf(changed)).toEqual({ kept: 1 });
  expect(changed.text).toContain("Its listing is closed here (archived by hand).");
});

test("a job that a complete file lacks twice leaves the board and the queue as gone", async () => {
  const own = await company(db);
  const complete = { options: ["--close-missing"] };
  await runImport(own.slug, [job(1), job(2), job(3)], complete);
  const waiting = await listSubmissions(own.id);
  await approveSubmissions(db, gita, waiting.slice(0, 2).map(toRead), settings);
  // A file that isn't complete, and a job that can't be imported, say nothing.
  expect(countsOf(await runImport(own.slug, [job(1)]))).toEqual({ unchanged: 1 });
  const broken = await runImport(own.slug, [job(1), job(2, { title: "" }), job(3)], complete);
  expect(countsOf(broken)).toEqual({ unchanged: 2, refused: 1 });
  expect(countsOf(await runImport(own.slug, [job(1)], complete))).toEqual({
    unchanged: 1,
    missing: 2,
  });
  expect(countsOf(await runImport(own.slug, [job(1)], complete))).toEqual({
    unchanged: 1,
    closed: 2,
  });
  expect(await listJobs(own.id)).toMatchObject([
    { title: "Letterer 1", isArchived: false },
    { title: "Letterer 2", isArchived: true, archivedReason: "gone" },
  ]);
  const states = (await listSubmissions(own.id)).map(({ state }) => state);
  expect(states.toSorted()).toEqual(["discarded", "live", "live"]);
  expect(countsOf(await runImport(own.slug, [job(1)], complete))).toEqual({ unchanged: 1 });
  // One that comes back waits for an admin again.
  expect(countsOf(await runImport(own.slug, [job(1), job(2)], complete))).toEqual({
    unchanged: 1,
    new: 1,
  });
});

test("a job that is back before the second time isn't closed", async () => {
  const own = await company(db);
  const complete = { options: ["--close-missing"] };
  await runImport(own.slug, [job(1), job(2)], complete);
  await runImport(own.slug, [job(1)], complete);
  await runImport(own.slug, [job(1), job(2)], complete);
  expect(countsOf(await runImport(own.slug, [job(1)], complete))).toEqual({
    unchanged: 1,
    missing: 1,
  });
});

test("the same page to apply is the same job, and equal titles only warn", async () => {
  const own = await company(db);
  await runImport(own.slug, [job(1)]);
  const csv =
    "title,url,location,description\nLetterer 1,https://example.in/jobs/1,Pune,Paint.\nLetterer 1,https://example.in/jobs/9,Pune,Paint.\n";
  const other = await runImport(own.slug, csv, { from: "csv" });
  expect(countsOf(other)).toEqual({ unchanged: 1, new: 1 });
  expect(other.remarks).toEqual([
    { line: 3, remark: "Another listing of the company has the same title." },
  ]);
  expect(await listSubmissions(own.id)).toHaveLength(2);
  await publishAll(own.id);
  // A third file has the page of a published listing.
  const moved = await runImport(own.slug, [job(8, { url: "https://example.in/jobs/9" })]);
  expect(countsOf(moved)).toEqual({ unchanged: 1 });
});

test("one company can't take the job of another", async () => {
  const [own, other] = [await company(db), await company(db)];
  const lever = readFileSync(new URL("fixtures/lever.json", import.meta.url), "utf8");
  await runImport(own.slug, lever, { from: "lever" });
  const taken = await runImport(other.slug, lever, { from: "lever" });
  expect(countsOf(taken)).toEqual({ refused: 3 });
  expect(taken.text).toContain("It belongs to another company here.");
  expect(await listSubmissions(other.id)).toEqual([]);
  // Ids of its own files are those of the company only.
  await runImport(own.slug, [job(1)]);
  expect(countsOf(await runImport(other.slug, [job(1)]))).toEqual({ new: 1 });
});

test("a contact who had their name removed isn't imported", async () => {
  const own = await company(db);
  await db.insert(stoppedContacts).values({
    contactHash: hashContactAddress(config, "removed@example.com"),
    reason: "withdrawn",
    at: now(),
  });
  const named = await runImport(own.slug, [
    job(1),
    job(2, { description: "Write to removed@example.com about the signs." }),
  ]);
  expect(countsOf(named)).toEqual({ new: 1, refused: 1 });
  expect(named.text).toContain("It names a contact who had their name removed.");
});

test("two imports of one company don't mix", async () => {
  const own = await company(db);
  const rows = Array.from({ length: 30 }, (_, number) => job(number));
  const lease = await openLeases(db).take(`import ${own.slug}`, () => {});
  await expect(runImport(own.slug, rows)).rejects.toThrow(
    "Another import for this company is running.",
  );
  expect(await listSubmissions(own.id)).toEqual([]);
  await lease!.giveBack();
  const both = await Promise.allSettled([runImport(own.slug, rows), runImport(own.slug, rows)]);
  expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await listSubmissions(own.id)).toHaveLength(30);
});

test("an import that lost its lease stops", async () => {
  const own = await company(db);
  const leases: Leases = {
    take(_name, onWanted) {
      onWanted();
      return Promise.resolve({ giveBack: () => Promise.resolve() });
    },
    askFor: () => Promise.resolve(),
  };
  const parts = { db, leases, settings: { ...config.checks, ...config }, logProgress() {} };
  const options = { provider: "json", slug: own.slug, newCompany: null, dryRun: false } as const;
  const run = importJobs(parts, JSON.stringify([job(1)]), { ...options, closeMissing: false });
  await expect(run).rejects.toThrow("Run it again.");
  expect(await listSubmissions(own.id)).toEqual([]);
});

test("an import that is stopped between batches ends the same when it is run again", async () => {
  const [own, other] = [await company(db), await company(db)];
  const rows = Array.from({ length: 1_200 }, (_, number) => job(number));
  const stop = {
    logProgress: () => {
      throw new Error("killed");
    },
  };
  await expect(runImport(own.slug, rows, { parts: stop })).rejects.toThrow("killed");
  const partly = await listSubmissions(own.id);
  expect(partly).toHaveLength(500);
  expect(countsOf(await runImport(own.slug, rows))).toEqual({ new: 700, unchanged: 500 });
  await runImport(other.slug, rows);
  const [one, whole] = [await listSubmissions(own.id), await listSubmissions(other.id)];
  expect(one.map(({ fields, state, version }) => [fields, state, version])).toEqual(
    whole.map(({ fields, state, version }) => [fields, state, version]),
  );
});

test("the operator adds the company, which is in the history", async () => {
  const rows = [job(1)];
  const unknown = runImport("rangoli-studio", rows);
  await expect(unknown).rejects.toThrow("There is no company “rangoli-studio”.");
  await expect(unknown).rejects.toThrow("--create-company");
  const create = ["--create-company", "Rangoli Studio", "--website", "https://rangoli.example"];
  const dry = await runImport("rangoli-studio", rows, { options: [...create, "--dry-run"] });
  expect(countsOf(dry)).toEqual({ new: 1 });
  const isRangoli = eq(companies.slug, "rangoli-studio");
  expect(await db.select().from(companies).where(isRangoli)).toEqual([]);
  await runImport("rangoli-studio", rows, { options: create });
  const [added] = await db.select().from(companies).where(isRangoli);
  expect(added).toMatchObject({ name: "Rangoli Studio", state: "approved" });
  const history = await db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectId, added!.id), eq(auditEvents.actorName, "Operator")))
    .orderBy(asc(auditEvents.at), asc(auditEvents.event));
  expect(history.map(({ event, after }) => [event, after])).toEqual([
    ["company.add", { name: "Rangoli Studio", website: "https://rangoli.example" }],
    ["listing.import", { from: "json", new: 1 }],
  ]);
  // The same command runs again for the company that it added.
  expect(countsOf(await runImport("rangoli-studio", rows, { options: create }))).toEqual({
    unchanged: 1,
  });
  const taken = ["--create-company", "Other", "--website", "https://jobs.rangoli.example"];
  await expect(runImport("other", rows, { options: taken })).rejects.toThrow(
    "The company at rangoli.example exists already. Use --company rangoli-studio.",
  );
});

test("imported listings that wait don't take the places of the company's own", async () => {
  const own = await company(db);
  await member(db, own, asha);
  await runImport(
    own.slug,
    Array.from({ length: 8 }, (_, number) => job(number)),
  );
  const draft = await submission(db, own, asha, "draft", {
    fields: {
      title: "Type Designer",
      location: "Pune",
      jobType: "Full-time",
      description: "Draws letters.",
      largeDescription: "Draws letters all day.",
      pocName: "Lalita Rao",
      pocContact: "lalita@example.com",
    },
  });
  await sendSubmission(db, asha, { id: draft, version: 1 }, settings);
  const sent = (await listSubmissions(own.id)).filter(({ state }) => state === "waiting");
  expect(sent).toHaveLength(9);
});

test("no company is imported into while it is hidden", async () => {
  const own = await company(db, { state: "hidden" });
  await expect(runImport(own.slug, [job(1)])).rejects.toThrow("This company is hidden.");
});

test("sources belong to the company that has them", async () => {
  const own = await company(db);
  await runImport(own.slug, [job(1)]);
  await db.delete(companies).where(eq(companies.id, own.id));
  expect(await db.select().from(jobSources).where(eq(jobSources.companyId, own.id))).toEqual([]);
});
