import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { jobAlert } from "../../../tests/support/rows/alerts.ts";
import { insertJob, type JobRow } from "../../../tests/support/rows/jobs.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { application } from "../../../tests/support/rows/tracked-jobs.ts";
import { randomFilters, randomJob } from "../../../tests/support/rows/random-jobs.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { setBan } from "../../../tests/support/rows/admin-things.ts";
import { users } from "../../accounts/tables.server.ts";
import { buildBoardAddress } from "../../jobs/filters/board-query.ts";
import { countJobs, listJobs } from "../../jobs/find.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { answerReplyQuestion } from "../tracker/replies.server.ts";
import { parseAlertFilters, toJobFilter } from "./alert-query.server.ts";
import { getWindowEnd, jobsPerAlert } from "./rules.ts";
import { sendDueAlerts } from "./send-alerts.server.ts";
import { stopAlerts } from "./stop-alerts.server.ts";
import { alerts } from "./tables.server.ts";

const { db } = await testDatabase();
const config = testConfig();
const log = createLog("silent");

/** 8 AM in India on a Monday. */
const monday = new Date("2026-03-02T02:30:00Z");
const later = (time: number) => new Date(monday.getTime() + time);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: monday });
  await db.execute(sql`delete from alerts; delete from jobs; delete from mails`);
});
afterAll(() => void vi.useRealTimers());

async function sendAt(moment: Date): Promise<number> {
  vi.setSystemTime(moment);
  return sendDueAlerts({ db, log }, config);
}

const address = () => `reader.${randomUUID()}@example.com`;

/** Creates an alert that has sent everything before `sentUntil`. */
const alertTo = (email: string, fields: Partial<typeof alerts.$inferInsert> = {}) =>
  jobAlert(db, { email, sentUntil: later(-day), ...fields });

/** Publishes a listing two hours before the Monday's email, unless it says otherwise. */
async function publish(fields: JobRow = {}): Promise<string> {
  const publishedAt = fields.publishedAt ?? later(-2 * hour);
  const base = { title: "Type Designer", postedAt: publishedAt, publishedAt };
  return (await insertJob(db, { ...base, ...fields })).id;
}

/** Returns the ids of the jobs in an email, in order. */
function jobsIn(mail: { text: string } | undefined): string[] {
  return [...(mail?.text ?? "").matchAll(/\/jobs\/([\da-f-]{36})/g)].map(([, id]) => id!);
}

async function jobsSentTo(email: string): Promise<string[][]> {
  return (await mailsTo(db, email)).map(jobsIn);
}

const findAlert = async (id: string) =>
  (await db.select().from(alerts).where(eq(alerts.id, id)))[0]!;

test("for 500 random filters, the email lists the jobs of the board in its order", async () => {
  const made = fc.sample(randomJob, { numRuns: 300, seed: 7 });
  await db.insert(jobs).values(made.map((job) => ({ ...job, publishedAt: job.postedAt })));
  const queries = new Map(
    fc.sample(randomFilters, { numRuns: 500, seed: 21 }).map((filters) => {
      const params = new URL(buildBoardAddress(filters), config.origin).searchParams;
      return [address(), parseAlertFilters(params).query];
    }),
  );
  for (const [email, query] of queries) await alertTo(email, { query });
  const found = new Map<string, string>();
  vi.setSystemTime(monday);
  await sendDueAlerts({ db, log }, config);
  for (const { recipient, text } of await db.select().from(mails)) found.set(recipient, text);
  let matches = 0;
  for (const [email, query] of queries) {
    const filter = toJobFilter(query);
    const board = await listJobs(db, { ...filter, limit: jobsPerAlert });
    const text = found.get(email) ?? "";
    expect(jobsIn({ text }), query).toEqual(board.jobs.map(({ id }) => id));
    const { counted } = await countJobs(db, filter);
    if (counted > jobsPerAlert) expect(text).toContain(`See all ${counted} new jobs`);
    if (counted > 0) matches += 1;
  }
  expect(matches).toBeGreaterThan(100);
});

test.each([
  ["daily", "2026-03-04T02:29:59Z", "2026-03-03T02:25:00Z"],
  ["daily", "2026-03-04T02:30:00Z", "2026-03-04T02:25:00Z"],
  ["weekly", "2026-03-04T02:30:00Z", "2026-03-02T02:25:00Z"],
  ["weekly", "2026-03-09T02:29:59Z", "2026-03-02T02:25:00Z"],
  ["weekly", "2026-03-09T02:30:00Z", "2026-03-09T02:25:00Z"],
  ["weekly", "2026-03-08T22:00:00Z", "2026-03-02T02:25:00Z"],
] as const)("the %s window at %s ends at %s", (frequency, moment, end) => {
  expect(getWindowEnd(frequency, new Date(moment))).toEqual(new Date(end));
});

test("a daily alert is sent at 8 AM, and once", async () => {
  const email = address();
  await alertTo(email);
  const id = await publish();
  expect(await sendAt(later(-1))).toBe(0);
  expect(await sendAt(monday)).toBe(1);
  expect(await sendAt(later(5 * minute))).toBe(0);
  expect(await sendAt(later(day))).toBe(0);
  expect(await jobsSentTo(email)).toEqual([[id]]);
});

test("a weekly alert is sent on Mondays, with the jobs of the week", async () => {
  const email = address();
  await alertTo(email, { frequency: "weekly", sentUntil: later(-minute) });
  const ids = [];
  for (const days of [1, 3, 6]) ids.push(await publish({ publishedAt: later(days * day) }));
  for (const days of [1, 2, 3, 4, 5, 6]) expect(await sendAt(later(days * day))).toBe(0);
  expect(await sendAt(later(7 * day))).toBe(1);
  expect(await jobsSentTo(email)).toEqual([ids.toReversed()]);
});

test("without new jobs there is no email, and the alert moves on", async () => {
  const id = await alertTo(address());
  expect(await sendAt(monday)).toBe(0);
  expect((await findAlert(id)).sentUntil).toEqual(getWindowEnd("daily", monday));
});

test("after days without a run, one email has the jobs of all of them", async () => {
  const email = address();
  await alertTo(email);
  const ids = [];
  for (const days of [0, 1, 2]) ids.push(await publish({ publishedAt: later(days * day - hour) }));
  expect(await sendAt(later(2 * day + 3 * hour))).toBe(1);
  expect(await jobsSentTo(email)).toEqual([ids.toReversed()]);
});

test("a job that is published in the last minutes comes with the next email", async () => {
  const email = address();
  await alertTo(email);
  const first = await publish({ publishedAt: later(-5 * minute) });
  const second = await publish({ publishedAt: later(-5 * minute + 1) });
  await sendAt(monday);
  expect(await jobsSentTo(email)).toEqual([[first]]);
  await sendAt(later(day));
  expect((await jobsSentTo(email))[0]).toEqual([second]);
});

test("a late approval is sent, since its time of publication counts", async () => {
  const email = address();
  await alertTo(email);
  const id = await publish({ postedAt: later(-30 * day), publishedAt: later(-hour) });
  await sendAt(monday);
  expect(await jobsSentTo(email)).toEqual([[id]]);
});

test("a job that was on the board before the alert isn't sent", async () => {
  const email = address();
  await alertTo(email, { sentUntil: later(-2 * hour) });
  await publish({ publishedAt: later(-2 * hour) });
  expect(await sendAt(monday)).toBe(0);
});

test("closed listings aren't sent, without any other task", async () => {
  const email = address();
  await alertTo(email);
  await publish({ isArchived: true });
  await publish({ isArchived: true, archivedReason: "reported" });
  // It lapsed, but no task has archived it.
  await publish({ lapses: true, liveUntil: later(-hour) });
  const open = await publish({ liveUntil: new Date(now().getTime() + 10_000 * day) });
  await sendAt(monday);
  expect(await jobsSentTo(email)).toEqual([[open]]);
});

test("all alerts of an address share an email, which lists each job once", async () => {
  const email = address();
  await alertTo(email, { query: "search=icon", createdAt: later(-9 * day) });
  await alertTo(email, { frequency: "weekly", sentUntil: later(-7 * day) });
  const icon = await publish({ title: "Icon Designer" });
  const other = await publish();
  expect(await sendAt(monday)).toBe(1);
  const [mail, ...others] = await mailsTo(db, email);
  expect(others).toEqual([]);
  expect(jobsIn(mail)).toEqual([icon, other]);
  expect(mail!.subject).toBe("2 new jobs for your alerts");
  for (const form of [mail!.html, mail!.text]) {
    expect(form.toLowerCase()).toContain("“icon”");
    expect(form).toContain("every Monday");
    expect(form.match(/\/alerts\/stop\//g)!.length).toBeGreaterThanOrEqual(3);
  }
});

test("the weekly email leaves out the jobs of the daily ones, and only those", async () => {
  const email = address();
  await alertTo(email, { query: "search=icon" });
  await alertTo(email, { frequency: "weekly", sentUntil: later(-minute) });
  await sendAt(monday);
  const icon = await publish({ title: "Icon Designer", publishedAt: later(hour) });
  const other = await publish({ publishedAt: later(hour) });
  await sendAt(later(day));
  expect(await jobsSentTo(email)).toEqual([[icon]]);
  await sendAt(later(7 * day));
  expect((await jobsSentTo(email))[0]).toEqual([other]);
});

test("the weekly email has a job that was closed when the daily one was sent", async () => {
  const email = address();
  await alertTo(email);
  await alertTo(email, { query: "search=type", frequency: "weekly", sentUntil: later(-minute) });
  const id = await publish({ publishedAt: later(hour), isArchived: true });
  await sendAt(later(day));
  await db.update(jobs).set({ isArchived: false }).where(eq(jobs.id, id));
  await sendAt(later(7 * day));
  expect(await jobsSentTo(email)).toEqual([[id]]);
});

test("an alert that becomes daily gets the jobs since its last email, but no second email a day", async () => {
  const email = address();
  const id = await alertTo(email, { frequency: "weekly", sentUntil: later(-minute) });
  await alertTo(email, { query: "search=icon" });
  const icon = await publish({ title: "Icon Designer", publishedAt: later(hour) });
  const other = await publish({ publishedAt: later(2 * hour) });
  await sendAt(later(day));
  await db.update(alerts).set({ frequency: "daily" }).where(eq(alerts.id, id));
  expect(await sendAt(later(day + hour))).toBe(0);
  expect(await sendAt(later(2 * day))).toBe(1);
  expect(await jobsSentTo(email)).toEqual([[other], [icon]]);
});

test("an email lists 20 jobs of an alert and links to all of them", async () => {
  const email = address();
  await alertTo(email, { query: "search=designer" });
  for (let turn = 0; turn < 45; turn++) await publish();
  await sendAt(monday);
  const [mail] = await mailsTo(db, email);
  expect(new Set(jobsIn(mail)).size).toBe(jobsPerAlert);
  expect(mail!.subject).toBe("45 new jobs: “designer”");
  expect(mail!.text).toContain(`See all 45 new jobs ${config.origin}/jobs?search=designer`);
});

test("the email says all about a job in both forms, and has the headers for one click", async () => {
  const email = address();
  const id = await alertTo(email, { query: "discipline=ux&mode=hybrid" });
  await publish({
    title: '<img src="x">\nDesigner',
    company: "A & B",
    discipline: "ux",
    workMode: "hybrid",
    compensation: "₹12 LPA",
    checkedAt: later(-2 * hour),
    closesOn: "2026-04-01",
    reportedAt: later(-hour),
  });
  await sendAt(monday);
  const [mail] = await mailsTo(db, email);
  expect(mail!.subject).toBe('New job: “<img src="x"> Designer” at A & B');
  expect(mail!.html).not.toContain("<img");
  const html = mail!.html.replaceAll("<!-- -->", "").replaceAll("&amp;", "&");
  for (const form of [html, mail!.text]) {
    for (const part of [
      "A & B · Pune",
      "Full-time · ₹12 LPA",
      "Checked Mar 2, 2026 · Apply by Apr 1, 2026",
      "Reported. We are checking this listing.",
      "You get this alert every day.",
      "because you asked",
      "/jobs?discipline=ux&mode=hybrid",
    ])
      expect(form).toContain(part);
    // The text form has headings in capitals.
    expect(form.toLowerCase()).toContain("ux design, hybrid");
  }
  expect(mail!.headers).toEqual({
    "List-Unsubscribe": expect.stringMatching(
      new RegExp(`^<${config.origin}/alerts/stop/${id}-[\\w-]{22}>$`),
    ),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": `<job-alerts.${new URL(config.origin).hostname}>`,
  });
});

test.each([
  ["of one alert stops it", "search=none", ["stopped", "active"]],
  ["of several alerts stops all of them", "search=icon", ["stopped", "stopped"]],
])("one click in an email with jobs %s", async (_what, query, states) => {
  const email = address();
  const ids = [await alertTo(email, { query: "search=type" }), await alertTo(email, { query })];
  await publish({ title: "Type Designer" });
  await publish({ title: "Icon Designer" });
  await sendAt(monday);
  const [mail] = await mailsTo(db, email);
  const token = /stop\/([\w-]+)>/.exec(mail!.headers!["List-Unsubscribe"]!)![1]!;
  await stopAlerts(db, config, token);
  const rows = await Promise.all(ids.map(findAlert));
  expect(rows.map(({ state }) => state)).toEqual(states);
});

test("alerts that are pending or stopped aren't sent", async () => {
  await alertTo(address(), { state: "pending" });
  await alertTo(address(), { state: "stopped", stoppedAt: later(-hour) });
  await publish();
  expect(await sendAt(monday)).toBe(0);
});

test("three processes send each address one email", async () => {
  const emails = Array.from({ length: 40 }, address);
  for (const email of emails) {
    await alertTo(email);
    await alertTo(email, { query: "search=icon" });
  }
  await publish({ title: "Icon Designer" });
  vi.setSystemTime(monday);
  const run = () => sendDueAlerts({ db, log }, config);
  const queued = await Promise.all([run(), run(), run()]);
  expect(queued.reduce((sum, count) => sum + count)).toBe(emails.length);
  expect(await db.$count(mails)).toBe(emails.length);
});

test("a crash before the commit sends nothing, and the next run sends one email", async () => {
  const email = address();
  const id = await alertTo(email);
  await publish();
  await db.execute(sql`
    create function refuse_move() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
    create trigger refuse_move before update on alerts for each row execute function refuse_move()`);
  const sent = sendAt(monday).finally(() =>
    db.execute(sql`drop trigger refuse_move on alerts; drop function refuse_move`),
  );
  expect(await sent).toBe(0);
  expect(await mailsTo(db, email)).toEqual([]);
  expect((await findAlert(id)).sentUntil).toEqual(later(-day));
  expect(await sendAt(later(5 * minute))).toBe(1);
});

test("an address that fails doesn't stop the others", async () => {
  const [broken, ...others] = Array.from({ length: 5 }, address);
  for (const email of [broken!, ...others]) await alertTo(email);
  await publish();
  await db.execute(
    sql.raw(`alter table mails add constraint one_fails check (recipient <> '${broken}')`),
  );
  const sent = sendAt(monday).finally(() =>
    db.execute(sql`alter table mails drop constraint one_fails`),
  );
  expect(await sent).toBe(others.length);
  expect(await sendAt(later(5 * minute))).toBe(1);
});

test("an alert that is stopped while emails are sent gets one or none, and stays stopped", async () => {
  const email = address();
  const id = await alertTo(email);
  await publish();
  vi.setSystemTime(monday);
  const stop = async (handle: typeof db) => {
    await handle.update(alerts).set({ state: "stopped" }).where(eq(alerts.id, id));
  };
  const [stopped, sent] = await overlap(
    db,
    async (tx) => {
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${email}`}, 0))`,
      );
      await stop(tx);
    },
    () => sendDueAlerts({ db, log }, config),
  );
  expect(stopped!.status).toBe("fulfilled");
  expect(sent).toMatchObject({ status: "fulfilled", value: 0 });
  expect(await mailsTo(db, email)).toEqual([]);
  expect((await findAlert(id)).state).toBe("stopped");
});

/** Sets the result of the newest email to an address. */
async function deliver(email: string, result: "sent" | "rejected" | "failed"): Promise<void> {
  const [mail] = await mailsTo(db, email);
  const givenUpAt = new Date(mail!.createdAt.getTime() + (result === "failed" ? 2 * day : minute));
  await db
    .update(mails)
    .set(result === "sent" ? { sentAt: givenUpAt } : { givenUpAt, attempts: 1 })
    .where(eq(mails.id, mail!.id));
}

test.each([
  [["rejected", "rejected", "rejected"], true],
  [["rejected", "rejected", "sent", "rejected", "rejected"], false],
  [["failed", "failed", "failed", "failed"], false],
] as const)("after %j digests the alerts are stopped: %s", async (results, isStopped) => {
  const email = address();
  const ids = [await alertTo(email), await alertTo(email, { query: "search=icon" })];
  for (const [days, result] of results.entries()) {
    await publish({ publishedAt: later(days * day - hour) });
    expect(await sendAt(later(days * day))).toBe(1);
    await deliver(email, result);
  }
  await publish({ publishedAt: later(results.length * day - hour) });
  expect(await sendAt(later(results.length * day))).toBe(isStopped ? 0 : 1);
  for (const id of ids) expect((await findAlert(id)).state).toBe(isStopped ? "stopped" : "active");
});

test("a banned person gets no alerts until the ban ends, neither of their account nor of its address", async () => {
  const asha = await person(db, "Asha Alert");
  const elsewhere = address();
  await alertTo(asha.email);
  await alertTo(elsewhere, { userId: asha.id });
  const other = address();
  await alertTo(other);
  const id = await publish();
  await setBan(db, asha.id, later(hour));
  expect(await sendAt(later(minute))).toBe(1);
  expect(await jobsSentTo(other)).toEqual([[id]]);
  expect(await sendAt(later(hour + minute))).toBe(2);
  expect(await jobsSentTo(asha.email)).toEqual([[id]]);
  expect(await jobsSentTo(elsewhere)).toEqual([[id]]);
});

test("after a change of the secret, an address still gets one email a day", async () => {
  const email = address();
  await alertTo(email);
  await publish();
  expect(await sendAt(later(minute))).toBe(1);
  await alertTo(email, { query: "type=Full-time" });
  const renewed = { ...config, secrets: ["a new secret of the installation", ...config.secrets] };
  expect(await sendDueAlerts({ db, log }, renewed)).toBe(0);
});

const questionIn = ({ text }: { text: string }) =>
  /\/profile\/jobs\/([\da-f-]{36})/.exec(text)?.[1] ?? null;

/** Sends a digest with a new job, and returns the job of the reader's list that it asks about. */
async function askedOn(email: string, days: number): Promise<string | null> {
  await publish({ publishedAt: later(days * day - 2 * hour) });
  expect(await sendAt(later(days * day))).toBe(1);
  const [mail] = await mailsTo(db, email);
  return questionIn(mail!);
}

test("a digest asks once if a company answered, and once more after a “not yet”", async () => {
  const asha = await person(db, "Asha Verma");
  await alertTo(asha.email);
  const first = await application(db, asha, 0, { title: "Map\nMaker", company: "Kite Works" });
  const second = await application(db, asha, 0);
  const [older, newer] = [first, second].toSorted();
  expect(await askedOn(asha.email, 13)).toBeNull();
  expect(await askedOn(asha.email, 14)).toBe(older);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain("answer?");
  expect(await askedOn(asha.email, 15)).toBeNull();
  await answerReplyQuestion(db, asha, { id: older!, outcome: "not-yet" });
  // The next question waits until a week after the answer.
  expect(await askedOn(asha.email, 21)).toBeNull();
  expect(await askedOn(asha.email, 22)).toBe(newer);
  await answerReplyQuestion(db, asha, { id: newer!, outcome: "within" });
  expect(await askedOn(asha.email, 28)).toBeNull();
  expect(await askedOn(asha.email, 29)).toBe(older);
  expect(await askedOn(asha.email, 40)).toBeNull();
});

test("only an account with this confirmed address is asked, and no email is sent for a question", async () => {
  const asha = await person(db, "Asha Verma");
  await application(db, asha, 20);
  const visitor = address();
  await alertTo(visitor);
  expect(await askedOn(visitor, 0)).toBeNull();
  await alertTo(asha.email);
  await db.update(users).set({ emailVerified: false }).where(eq(users.id, asha.id));
  await db.execute(sql`delete from alerts where email = ${visitor}`);
  expect(await askedOn(asha.email, 1)).toBeNull();
  await db.update(users).set({ emailVerified: true }).where(eq(users.id, asha.id));
  expect(await sendAt(later(2 * day))).toBe(0);
});
