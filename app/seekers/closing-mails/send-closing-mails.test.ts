import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { setBan } from "../../../tests/support/rows/admin-things.ts";
import { insertJob, type JobRow } from "../../../tests/support/rows/jobs.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { overlap } from "../../../tests/support/product/overlap.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { saveMailChoices } from "../../accounts/mail-choices/mail-choices.server.ts";
import { getClosingEnd } from "../../jobs/check-rules.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { removeSavedJob, saveJob } from "../tracker/save-job.server.ts";
import { selectReaders, sendClosingMails } from "./send-closing-mails.server.ts";

const { db } = await testDatabase();
const app = { db, log: createLog("silent") };
const send = () => sendClosingMails(app, testConfig());

/** 9 AM in India. PostgreSQL's own clock is far behind it, so that no listing lapses during a test. */
const morning = new Date("2099-03-02T03:30:00Z");

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: morning });
  await db.execute(sql`delete from jobs; delete from mails; delete from chosen_mails`);
});
afterAll(() => void vi.useRealTimers());

async function choose(actor: Actor, choice: "at once" | "never") {
  const others = { "review-assigned": "at once", "review-ready": "at once" };
  await saveMailChoices(db, actor, { ...others, "saved-job-closes": choice });
}

async function reader(): Promise<Actor> {
  const asha = await person(db, "Asha Verma");
  await choose(asha, "at once");
  return asha;
}

const closing = (closesOn: string): JobRow => ({ closesOn, liveUntil: getClosingEnd(closesOn) });

async function publish(closesOn: string, fields: JobRow = {}): Promise<string> {
  return (await insertJob(db, { ...closing(closesOn), ...fields })).id;
}

const save = (actor: Actor, jobId: string) => saveJob(db, actor, { jobId, state: "saved" });

/** Lists the jobs in each email to a person, the newest email first. */
async function jobsSentTo({ email }: Actor): Promise<string[][]> {
  const sent = await mailsTo(db, email);
  return sent.map(({ text }) => [...text.matchAll(/\/jobs\/([\da-f-]{36})/g)].map(([, id]) => id!));
}

test("one email names all saved jobs that close within three days, the next first", async () => {
  const asha = await reader();
  const third = await publish("2099-03-05");
  const today = await publish("2099-03-02", { title: "Kite Painter" });
  const second = await publish("2099-03-04");
  for (const jobId of [third, today, second]) await save(asha, jobId);
  expect(await send()).toBe(1);
  expect(await jobsSentTo(asha)).toEqual([[today, second, third]]);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("3 saved jobs close soon");
  expect(mail!.text).toContain("Apply by Mar 2, 2099");
  expect(mail!.text).toContain("/profile/mails");
});

test("a single job is named in the subject", async () => {
  const asha = await reader();
  await save(asha, await publish("2099-03-05", { title: "Kite\nPainter" }));
  await send();
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.subject).toBe("“Kite Painter” closes soon");
});

test("no other job is in an email", async () => {
  const asha = await reader();
  const ravi = await reader();
  await save(ravi, await publish("2099-03-05"));
  await save(asha, await publish("2099-03-06"));
  await save(asha, (await insertJob(db)).id);
  await saveJob(db, asha, { jobId: await publish("2099-03-05"), state: "applied" });
  // The board lists this one until its check is overdue.
  const lapsing = { closesOn: "2099-05-01", liveUntil: getClosingEnd("2099-03-04") };
  for (const fields of [{ isArchived: true }, { liveUntil: new Date(0) }, lapsing])
    await trackedJob(db, asha, { jobId: await publish("2099-03-05", fields) });
  await trackedJob(db, asha, { title: "Found elsewhere" });
  expect(await send()).toBe(1);
  expect(await mailsTo(db, asha.email)).toEqual([]);
});

test("nobody gets it who didn't choose it, took it back or is banned", async () => {
  const [asha, ravi, sonia] = [await person(db, "Asha Verma"), await reader(), await reader()];
  await choose(ravi, "never");
  await setBan(db, sonia.id, new Date(now().getTime() + day));
  const jobId = await publish("2099-03-05");
  for (const actor of [asha, ravi, sonia]) await save(actor, jobId);
  expect(await send()).toBe(0);
  await setBan(db, sonia.id, null);
  expect(await send()).toBe(1);
  expect(await jobsSentTo(sonia)).toEqual([[jobId]]);
});

test("a person hears of a job once, also if it is saved again or closes later", async () => {
  const asha = await reader();
  const jobId = await publish("2099-03-05");
  await save(asha, jobId);
  await send();
  vi.setSystemTime(morning.getTime() + day);
  await removeSavedJob(db, asha, { jobId });
  await save(asha, jobId);
  expect(await send()).toBe(0);
  await db.update(jobs).set(closing("2099-05-05")).where(eq(jobs.id, jobId));
  vi.setSystemTime(new Date("2099-05-03T03:30:00Z"));
  expect(await send()).toBe(0);
  // A job that was saved since then is new to them, and another person hears of the first one.
  const other = await publish("2099-05-04");
  await save(asha, other);
  const ravi = await reader();
  await save(ravi, jobId);
  expect(await send()).toBe(2);
  expect(await jobsSentTo(asha)).toEqual([[other], [jobId]]);
  expect(await jobsSentTo(ravi)).toEqual([[jobId]]);
});

test("runs at the same time send one email, and later ones find nobody", async () => {
  const failures = vi.spyOn(app.log, "error");
  const asha = await reader();
  const saved = [await publish("2099-03-04"), await publish("2099-03-05")];
  for (const jobId of saved) await save(asha, jobId);
  const queued = await overlap(
    db,
    async (tx) => expect(await sendClosingMails({ ...app, db: tx }, testConfig())).toBe(1),
    send,
  );
  expect(queued[1]).toMatchObject({ value: 0 });
  expect(await jobsSentTo(asha)).toEqual([saved]);
  expect(failures).not.toHaveBeenCalled();
  expect(await selectReaders(db, null)).toEqual([]);
});

test("a person whose email fails doesn't stop the others, and gets it later", async () => {
  const people = [await reader(), await reader(), await reader()];
  const jobId = await publish("2099-03-05");
  for (const actor of people) await save(actor, jobId);
  const [, broken] = people;
  const fails = `check (recipient <> '${broken!.email}')`;
  await db.execute(sql.raw(`alter table mails add constraint one_fails ${fails}`));
  const repair = () => db.execute(sql`alter table mails drop constraint if exists one_fails`);
  onTestFinished(() => void repair());
  expect(await send()).toBe(2);
  await repair();
  expect(await send()).toBe(1);
  expect(await jobsSentTo(broken!)).toEqual([[jobId]]);
});

test("a long list ends with the number of the others", async () => {
  const asha = await reader();
  const ids = Array.from({ length: 25 }, () => randomUUID()).toSorted();
  for (const id of ids) await save(asha, await publish("2099-03-05", { id }));
  await send();
  expect(await jobsSentTo(asha)).toEqual([ids.slice(0, 20)]);
  const [mail] = await mailsTo(db, asha.email);
  expect(mail!.text).toContain("5 more jobs");
  // They hear of all of them.
  expect(await send()).toBe(0);
});

test("the jobs and the people who saved them are found with indexes", async () => {
  const { rows } = await db.transaction(async (tx) => {
    // A small table would be read in full.
    await tx.execute(sql`set local enable_seqscan = off`);
    return tx.execute(sql`explain ${selectReaders(tx, null)}`);
  });
  const plan = JSON.stringify(rows);
  expect(plan).toContain("jobs_live_until");
  expect(plan).toContain("tracked_jobs_job");
});
