import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { sentBy } from "../../../tests/support/requests/asked.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { mailsTo, tokenMailedTo } from "../../../tests/support/rows/mailbox.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { seenReports } from "../../../tests/support/rows/reports.ts";
import { jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { users } from "../../accounts/tables.server.ts";
import { saveMailChoices } from "../../accounts/mail-choices/mail-choices.server.ts";
import { archiveJob, createJob } from "../../jobs/manage/job-commands.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { day, hour, minute, now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { closeReports } from "../decide/close-reports.server.ts";
import { countReportedJobs } from "../decide/list-reports.server.ts";
import { jobReports } from "../tables.server.ts";
import { confirmReport, findMailedReport } from "./confirm-report.server.ts";
import { listNetworkHashes } from "./networks.server.ts";
import * as screen from "./report.screen.tsx";
import { buildReportPath, reportForm, sendReport } from "./send-report.server.tsx";

const config = testConfig();
const { db, asha, ravi, meera, kabir, devi, gita, sonia } = await testPeople();
let jobId: string;

beforeEach(async () => {
  await db.execute(
    sql`delete from job_reports; delete from jobs; delete from mails; delete from rate_limits; delete from chosen_mails`,
  );
  jobId = await createJob(db, devi, jobFields);
});

type Sender = { actor?: Actor; clientAddress?: string; job?: string };

async function report(
  fields: Record<string, string>,
  { actor, clientAddress = "192.0.2.1", job = jobId }: Sender = {},
) {
  const path = `/jobs/${job}/report`;
  const asked = { path, params: { jobId: job }, clientAddress };
  return screen.action(sentBy(db, actor ?? null, fields, asked));
}

const stored = () => db.select().from(jobReports).orderBy(jobReports.createdAt, jobReports.id);
const findReport = async (email: string) =>
  (await db.select().from(jobReports).where(eq(jobReports.email, email)))[0]!;
const tokenOf = (id: string) => buildReportPath(config, id).slice("/jobs/report/".length);
const isReported = async () => (await jobRow(db, jobId)).reportedAt !== null;
/** Reports as a visitor from a network, and returns the token of the mailed link. */
async function reportFrom(clientAddress: string, email: string) {
  await report({ reason: "fake", email }, { clientAddress });
  return tokenMailedTo(db, email, "/jobs/report/");
}

test("each field has its own error message and keeps its value", async () => {
  const typed = { reason: "none", text: "x".repeat(2001), email: "nowhere" };
  expect(await report(typed)).toMatchObject({
    init: { status: 422 },
    data: {
      errors: {
        reason: "Choose a reason",
        text: "Enter at most 2000 characters",
        email: "Please enter a valid email address.",
      },
      values: typed,
    },
  });
});

test("another reason needs details, and that error comes together with others", async () => {
  expect(await report({ reason: "other", text: " ", email: "nowhere" })).toMatchObject({
    data: {
      errors: {
        text: "Tell us what is wrong with this listing",
        email: "Please enter a valid email address.",
      },
    },
  });
  expect(await report({ reason: "fake", email: "a@example.com" })).toMatchObject({ errors: {} });
});

test("a visitor's report without an address is refused", async () => {
  expect(await report({ reason: "fake" })).toMatchObject({
    data: { errors: { email: "Please enter a valid email address." } },
  });
  expect(await stored()).toEqual([]);
});

test("a signed-in person needs no confirmation, and gets no email", async () => {
  await report({ reason: "money", text: "They want ₹500." }, { actor: asha });
  expect(await stored()).toMatchObject([
    { reporterId: asha.id, email: null, reason: "money", text: "They want ₹500.", jobId },
  ]);
  expect((await stored())[0]!.confirmedAt).not.toBeNull();
  expect(await mailsTo(db, asha.email)).toEqual([]);
});

test("every address gets the same answer and email, with an account or without", async () => {
  const unknown = await report({ reason: "fake", email: "nobody@example.com" });
  const known = await report({ reason: "fake", email: asha.email });
  expect(unknown).toEqual({ sent: { email: "nobody@example.com" }, errors: {}, values: {} });
  expect(known).toEqual({ sent: { email: asha.email }, errors: {}, values: {} });
  const [one] = await mailsTo(db, "nobody@example.com");
  const [other] = await mailsTo(db, asha.email);
  const withoutLink = (text: string) => text.replaceAll(/\S+\/jobs\/report\/\S+/g, "link");
  expect(withoutLink(other!.text)).toBe(withoutLink(one!.text));
});

test("the email has a link in both forms, and none of the visitor's text", async () => {
  await report({ reason: "money", text: "Visit https://spam.example", email: "v@example.com" });
  const [mail] = await mailsTo(db, "v@example.com");
  const link = config.origin + buildReportPath(config, (await findReport("v@example.com")).id);
  expect(mail!.subject).toBe("Confirm your report");
  expect(mail!.html).toContain(`href="${link}"`);
  expect(mail!.text).toContain(link);
  for (const form of [mail!.html, mail!.text]) {
    expect(form).toContain("Product Designer");
    expect(form).not.toContain("spam.example");
  }
});

test("reporting again updates the open report, and sends at most one email an hour", async () => {
  stopClock();
  await report({ reason: "money" }, { actor: asha });
  await report({ reason: "data", text: "My PAN." }, { actor: asha });
  await report({ reason: "fake", email: "v@example.com" });
  await report({ reason: "facts", text: "Other city.", email: "V@example.com" });
  const reports = await stored();
  expect(reports.map(({ reason }) => reason).toSorted()).toEqual(["data", "facts"]);
  expect(await mailsTo(db, "v@example.com")).toHaveLength(1);
});

test("an address gets one email an hour, whatever the listing", async () => {
  stopClock();
  const other = await createJob(db, devi, { ...jobFields, title: "Type Designer" });
  const answers = [];
  for (const job of [jobId, other])
    answers.push(await report({ reason: "fake", email: "v@example.com" }, { job }));
  expect(answers[1]).toEqual(answers[0]);
  expect(await mailsTo(db, "v@example.com")).toHaveLength(1);
  await db.update(mails).set({ createdAt: new Date(now().getTime() - hour) });
  await report({ reason: "fake", email: "v@example.com" }, { job: other });
  expect(await mailsTo(db, "v@example.com")).toHaveLength(2);
});

test("concurrent reports of one person become one", async () => {
  await Promise.all(Array.from({ length: 4 }, () => report({ reason: "fake" }, { actor: asha })));
  await Promise.all(
    Array.from({ length: 4 }, () => report({ reason: "fake", email: "v@example.com" })),
  );
  expect(await stored()).toHaveLength(2);
});

test("someone else's text replaces a confirmed report only after it is confirmed", async () => {
  const token = await reportFrom("192.0.2.1", "v@example.com");
  await confirmReport(db, config, token);
  await report({ reason: "other", text: "All fine.", email: "v@example.com" });
  const [confirmed, waiting] = (await stored()).toSorted((one) => (one.confirmedAt ? -1 : 1));
  expect(confirmed).toMatchObject({ reason: "fake" });
  expect(waiting).toMatchObject({ reason: "other", confirmedAt: null });
  await confirmReport(db, config, tokenOf(waiting!.id));
  expect(await stored()).toMatchObject([{ reason: "other", text: "All fine." }]);
});

test("a bot gets the same answer, but nothing is stored", async () => {
  const answer = await report({ reason: "fake", email: "bot@example.com", topic: "x" });
  expect(answer).toEqual({ sent: { email: "bot@example.com" }, errors: {}, values: {} });
  await report({ reason: "fake", topic: "x" }, { actor: asha });
  expect(await stored()).toEqual([]);
  expect(await mailsTo(db, "bot@example.com")).toEqual([]);
});

test("an archived or missing listing can't be reported", async () => {
  await archiveJob(db, devi, jobId);
  for (const job of [jobId, asha.id, "none"])
    expect(await report({ reason: "fake" }, { actor: asha, job })).toMatchObject({
      init: { status: 404 },
      data: { errors: { "": "Job Not Found" } },
    });
});

test("a person, an address and a network send five reports an hour", async () => {
  stopClock();
  const status = async (fields: Record<string, string>, sender: Sender) =>
    ((await report({ reason: "fake", ...fields }, sender)) as { init?: { status: number } }).init
      ?.status;
  for (let turn = 0; turn < 5; turn++) {
    expect(await status({}, { actor: asha })).toBeUndefined();
    expect(await status({ email: `p${turn}@example.com` }, {})).toBeUndefined();
    const sender = { clientAddress: `198.51.100.${turn}` };
    expect(await status({ email: "one@example.com" }, sender)).toBeUndefined();
  }
  expect(await status({}, { actor: asha })).toBe(429);
  expect(await status({ email: "p6@example.com" }, {})).toBe(429);
  const elsewhere = { clientAddress: "198.51.100.99" };
  expect(await status({ email: "one@example.com" }, elsewhere)).toBe(429);
  expect(await status({}, { actor: ravi })).toBeUndefined();
});

test("a link shows the report, and confirms it once", async () => {
  const token = await reportFrom("192.0.2.1", "v@example.com");
  expect(await findMailedReport(db, config, token)).toMatchObject({
    reason: "fake",
    state: "waiting",
    job: { title: "Product Designer" },
  });
  expect((await stored())[0]!.confirmedAt).toBeNull();
  await confirmReport(db, config, token);
  const confirmedAt = new Date(now().getTime() - hour);
  await db.update(jobReports).set({ confirmedAt });
  const [confirmed] = await stored();
  await confirmReport(db, config, token);
  expect(await stored()).toEqual([confirmed]);
  expect(confirmed!.confirmedAt).not.toBeNull();
  expect(await findMailedReport(db, config, token)).toMatchObject({ state: "confirmed" });
});

test("a link expires after 48 hours, and only ours work", async () => {
  const token = await reportFrom("192.0.2.1", "v@example.com");
  const id = token.slice(0, 36);
  const sentAgo = (age: number) =>
    db.update(jobReports).set({ createdAt: new Date(now().getTime() - age) });
  await sentAgo(48 * hour + minute);
  for (const wrong of [token, id, `${id}-${"A".repeat(22)}`, "none"]) {
    expect(await findMailedReport(db, config, wrong)).toBeNull();
    await expect(confirmReport(db, config, wrong)).rejects.toThrow("48 hours old");
  }
  await sentAgo(48 * hour - minute);
  await confirmReport(db, config, token);
});

test.each([
  ["was archived", () => archiveJob(db, devi, jobId)],
  ["lapsed", () => db.update(jobs).set({ liveUntil: new Date(now().getTime() - minute) })],
])("a report on a listing that %s meanwhile needs no confirmation", async (_what, end) => {
  const token = await reportFrom("192.0.2.1", "v@example.com");
  await end();
  expect(await findMailedReport(db, config, token)).toMatchObject({ state: "closed" });
  await expect(confirmReport(db, config, token)).rejects.toThrow("no longer public");
  expect((await stored())[0]!.confirmedAt).toBeNull();
});

test("one network counts once, also after a change of the secret", async () => {
  const later = { ...config, secrets: ["a new secret of the installation", ...config.secrets] };
  const send = (settings: typeof config, email: string, clientAddress: string) =>
    sendReport(db, settings, {
      jobId,
      form: reportForm.parse({ reason: "fake", email }),
      reporterId: null,
      clientAddress,
    });
  await send(config, "a@example.com", "192.0.2.1");
  await send(config, "b@example.com", "198.51.100.1");
  await send(later, "c@example.com", "192.0.2.99");
  expect(new Set((await stored()).map(({ network }) => network)).size).toBe(2);
});

test("three confirmed accounts alert the admins once, in both forms", async () => {
  await report({ reason: "fake" }, { actor: asha });
  await report({ reason: "money" }, { actor: ravi });
  expect(await isReported()).toBe(false);
  await report({ reason: "money" }, { actor: meera });
  expect(await isReported()).toBe(true);
  await report({ reason: "closed" }, { actor: kabir });
  const [mail, ...more] = await mailsTo(db, gita.email);
  expect(more).toEqual([]);
  expect(mail!.subject).toBe("Reported listing: Product Designer");
  for (const form of [mail!.html, mail!.text]) {
    expect(form).toContain("Sample Studio");
    expect(form).toContain("/admin/jobs/reports");
    expect(form.replaceAll("<!-- -->", "")).toMatch(/Asked for money: 2/);
    expect(form).toContain("/profile/mails");
  }
});

test.each([
  ["an unconfirmed", { emailVerified: false }],
  ["a banned", { bannedUntil: new Date(now().getTime() + day) }],
])("%s account doesn't count", async (_kind, fields) => {
  await db.update(users).set(fields).where(eq(users.id, asha.id));
  for (const actor of [asha, ravi, meera]) await report({ reason: "fake" }, { actor });
  expect(await isReported()).toBe(false);
  await report({ reason: "fake" }, { actor: kabir });
  expect(await isReported()).toBe(true);
  const usual = { emailVerified: true, bannedUntil: null };
  await db.update(users).set(usual).where(eq(users.id, asha.id));
});

/** Dismisses the open reports of the listing. */
const dismiss = async () =>
  closeReports(db, gita, { jobId, reason: "It is real.", seen: await seenReports(db, jobId) });

test("people whose report was dismissed don't alert again, but other people do", async () => {
  for (const actor of [asha, ravi, meera]) await report({ reason: "fake" }, { actor });
  await dismiss();
  for (const actor of [asha, ravi, meera]) await report({ reason: "fake" }, { actor });
  expect(await isReported()).toBe(false);
  expect(await countReportedJobs(db, gita)).toBe(1);
  for (const actor of [kabir, devi, sonia]) await report({ reason: "fake" }, { actor });
  expect(await isReported()).toBe(true);
});

test("new addresses on a network whose report was dismissed don't alert again", async () => {
  const networks = ["192.0.2.1", "198.51.100.1", "203.0.113.1"];
  const reportFromEach = async (name: string) => {
    for (const [turn, address] of networks.entries())
      await confirmReport(db, config, await reportFrom(address, `${name}${turn}@example.com`));
  };
  await reportFromEach("first");
  expect(await isReported()).toBe(true);
  await dismiss();
  await reportFromEach("second");
  expect(await isReported()).toBe(false);
});

test("three confirmed addresses count only from three networks", async () => {
  const tokens = [
    await reportFrom("192.0.2.1", "one@example.com"),
    await reportFrom("192.0.2.200", "two@example.com"),
    await reportFrom("2001:db8:1:2::3", "three@example.com"),
    await reportFrom("2001:db8:1:ffff::3", "four@example.com"),
  ];
  for (const token of tokens) await confirmReport(db, config, token);
  expect(await isReported()).toBe(false);
  const last = await reportFrom("198.51.100.7", "five@example.com");
  expect(await isReported()).toBe(false);
  await confirmReport(db, config, last);
  expect(await isReported()).toBe(true);
});

test("two accounts and two addresses alert nobody", async () => {
  for (const actor of [asha, ravi]) await report({ reason: "fake" }, { actor });
  for (const [address, email] of [
    ["192.0.2.1", "one@example.com"],
    ["198.51.100.1", "two@example.com"],
  ] as const)
    await confirmReport(db, config, await reportFrom(address, email));
  expect(await isReported()).toBe(false);
});

test("a second and a third report that overlap send one email", async () => {
  await report({ reason: "fake" }, { actor: asha });
  const reportBy = (actor: Actor) => (tx: Database) =>
    sendReport(tx, config, {
      jobId,
      form: reportForm.parse({ reason: "fake" }),
      reporterId: actor.id,
      clientAddress: "192.0.2.1",
    });
  await overlap(db, reportBy(ravi), reportBy(meera));
  expect(await mailsTo(db, gita.email)).toHaveLength(1);
});

test("a second and a third confirmation that overlap send one email", async () => {
  const tokens = [
    await reportFrom("192.0.2.1", "one@example.com"),
    await reportFrom("198.51.100.1", "two@example.com"),
    await reportFrom("203.0.113.1", "three@example.com"),
  ];
  const confirm = (turn: number) => (tx: Database) => confirmReport(tx, config, tokens[turn]!);
  await confirm(0)(db);
  await overlap(db, confirm(1), confirm(2));
  expect(await mailsTo(db, gita.email)).toHaveLength(1);
});

test("an admin who turned the email off gets none", async () => {
  const choices = { "new-order": "never", "review-late": "never", "job-reported": "never" };
  const all = {
    "review-assigned": "never",
    "review-ready": "never",
    "saved-job-closes": "never",
    ...choices,
  };
  await saveMailChoices(db, gita, all);
  for (const actor of [asha, ravi, meera]) await report({ reason: "fake" }, { actor });
  expect(await isReported()).toBe(true);
  expect(await mailsTo(db, gita.email)).toEqual([]);
});

test("a network has another hash for another listing", () => {
  const hash = (id: string, address: string) => listNetworkHashes(config, id, address)[0];
  expect(hash(jobId, "192.0.2.1")).toBe(hash(jobId, "192.0.2.254"));
  expect(hash(jobId, "192.0.2.1")).toBe(hash(jobId, "::ffff:192.0.2.9"));
  expect(hash(jobId, "192.0.2.1")).not.toBe(hash(jobId, "192.0.3.1"));
  expect(hash(jobId, "192.0.2.1")).not.toBe(hash(asha.id, "192.0.2.1"));
  expect(hash(jobId, "192.0.2.1")).not.toContain("192");
});
