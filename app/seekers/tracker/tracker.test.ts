import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../accounts/tables.server.ts";
import { archiveJob, createJob } from "../../jobs/manage/job-commands.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { day, now, toIsoDay } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { jobFields } from "../../../tests/support/rows/jobs.ts";
import { trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import {
  addTrackedJob,
  changeTrackedJob,
  removeTrackedJob,
  restoreTrackedJob,
} from "./change-tracked-job.server.ts";
import { newTrackedJob, removedJob, trackedJobForm } from "./forms.server.ts";
import { describeNextStep, maxTrackedJobs, trackerMessages } from "./rules.ts";
import { removeSavedJob, saveJob } from "./save-job.server.ts";
import { trackedEvents, trackedJobs } from "./tables.server.ts";
import {
  countTrackedJobs,
  findTrackedJob,
  listAllTrackedJobs,
  listTrackedJobs,
  listTrackedListings,
} from "./tracked-jobs.server.ts";
import { formatTrackerFile } from "./tracker-file.server.ts";

const { db, devi } = await testPeople();
const today = () => toIsoDay(now());
const inDays = (days: number) => toIsoDay(new Date(now().getTime() + days * day));

const seeker = () => person(db, "Asha Verma");
const publish = (fields: Partial<typeof jobFields> = {}) =>
  createJob(db, devi, { ...jobFields, ...fields });
const own = { title: "Type Designer", company: "Letter Works", place: "", url: "" };

async function rowsOf({ id }: { id: string }) {
  return db.select().from(trackedJobs).where(eq(trackedJobs.userId, id));
}

async function statesOf(id: string): Promise<string[]> {
  const events = await db.select().from(trackedEvents).where(eq(trackedEvents.trackedJobId, id));
  return events.map(({ state }) => state);
}

test("saving copies the listing's facts and no contact", async () => {
  const asha = await seeker();
  const jobId = await publish({ pocName: "Ira Sample", pocContact: "ira@sample.example" });
  expect(await saveJob(db, asha, { jobId, state: "saved" })).toEqual({
    state: "saved",
    isNew: true,
  });
  const [row] = await rowsOf(asha);
  expect(row).toMatchObject({
    jobId,
    title: jobFields.title,
    company: jobFields.company,
    place: jobFields.location,
    url: `/jobs/${jobId}`,
    appliedOn: null,
  });
  expect(JSON.stringify(row)).not.toMatch(/Ira|ira@/);
  expect(await statesOf(row!.id)).toEqual(["saved"]);
});

test("two presses at once save a listing once", async () => {
  const asha = await seeker();
  const jobId = await publish();
  const saved = await Promise.all(
    Array.from({ length: 4 }, () => saveJob(db, asha, { jobId, state: "saved" })),
  );
  expect(saved.filter(({ isNew }) => isNew)).toHaveLength(1);
  const rows = await rowsOf(asha);
  expect(rows).toHaveLength(1);
  expect(await statesOf(rows[0]!.id)).toEqual(["saved"]);
});

test("“Yes, I applied” moves a saved listing with today's date, and later states stay", async () => {
  stopClock();
  const asha = await seeker();
  const jobId = await publish();
  await saveJob(db, asha, { jobId, state: "saved" });
  expect(await saveJob(db, asha, { jobId, state: "applied" })).toMatchObject({ isNew: true });
  const [row] = await rowsOf(asha);
  expect(row).toMatchObject({ state: "applied", appliedOn: today(), version: 1 });
  await changeTrackedJob(db, asha, { id: row!.id, version: 1, state: "offer" });
  expect(await saveJob(db, asha, { jobId, state: "applied" })).toEqual({
    state: "offer",
    isNew: false,
  });
  expect(await statesOf(row!.id)).toEqual(["saved", "applied", "offer"]);
});

test("a closed or missing listing can't be saved, but one in the list is known", async () => {
  const asha = await seeker();
  const jobId = await publish();
  await saveJob(db, asha, { jobId, state: "saved" });
  await archiveJob(db, devi, jobId);
  expect(await saveJob(db, asha, { jobId, state: "saved" })).toMatchObject({ isNew: false });
  const ravi = await person(db, "Ravi Nair");
  for (const id of [jobId, randomUUID(), "none"])
    await expect(saveJob(db, ravi, { jobId: id, state: "saved" })).rejects.toThrow(NotFound);
  expect(await rowsOf(ravi)).toEqual([]);
});

test("Saved takes back only a listing without details", async () => {
  const asha = await seeker();
  const jobId = await publish();
  await saveJob(db, asha, { jobId, state: "saved" });
  await removeSavedJob(db, asha, { jobId });
  expect(await rowsOf(asha)).toEqual([]);
  await removeSavedJob(db, asha, { jobId });
  await saveJob(db, asha, { jobId, state: "saved" });
  const [row] = await rowsOf(asha);
  await changeTrackedJob(db, asha, { id: row!.id, version: 0, state: "saved", notes: "Ask Mira." });
  await expect(removeSavedJob(db, asha, { jobId })).rejects.toThrow(trackerMessages.detailed);
  expect(await rowsOf(asha)).toHaveLength(1);
});

test("a list takes 1,000 jobs, also when several arrive at once", async () => {
  const asha = await seeker();
  const at = now();
  await db.insert(trackedJobs).values(
    Array.from({ length: maxTrackedJobs - 1 }, () => ({
      ...own,
      userId: asha.id,
      createdAt: at,
      updatedAt: at,
    })),
  );
  const [jobId, otherId] = [await publish(), await publish()];
  const results = await Promise.allSettled([
    saveJob(db, asha, { jobId, state: "saved" }),
    saveJob(db, asha, { jobId: otherId, state: "applied" }),
    addTrackedJob(db, asha, { ...own, state: "saved" }),
  ]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await rowsOf(asha)).toHaveLength(maxTrackedJobs);
  await expect(addTrackedJob(db, asha, { ...own, state: "saved" })).rejects.toThrow(
    "Your list has 1,000 jobs, which is the limit.",
  );
});

test("moving to “Applied” sets today's date only if there is none", async () => {
  stopClock();
  const asha = await seeker();
  const id = await addTrackedJob(db, asha, { ...own, state: "saved" });
  await changeTrackedJob(db, asha, { id, version: 0, state: "applied", appliedOn: "2026-01-05" });
  await changeTrackedJob(db, asha, { id, version: 1, state: "rejected" });
  await changeTrackedJob(db, asha, { id, version: 2, state: "applied" });
  expect((await rowsOf(asha))[0]).toMatchObject({ appliedOn: "2026-01-05" });
  // Without a move, a removed date stays removed.
  await changeTrackedJob(db, asha, { id, version: 3, state: "applied", appliedOn: null });
  expect((await rowsOf(asha))[0]).toMatchObject({ appliedOn: null });
  await changeTrackedJob(db, asha, { id, version: 4, state: "withdrawn" });
  await changeTrackedJob(db, asha, { id, version: 5, state: "applied", appliedOn: null });
  expect((await rowsOf(asha))[0]).toMatchObject({ appliedOn: today() });
  const applied = await addTrackedJob(db, asha, { ...own, state: "applied" });
  expect((await findTrackedJob(db, asha, applied))?.job.appliedOn).toBe(today());
});

test("an older version from a second tab is refused, also at the same moment", async () => {
  const asha = await seeker();
  const id = await trackedJob(db, asha);
  const change = (notes: string) =>
    changeTrackedJob(db, asha, { id, version: 0, state: "saved", notes });
  const results = await Promise.allSettled([change("first"), change("second"), change("third")]);
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(2);
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ name: "Conflict", code: "changed" });
  expect((await rowsOf(asha))[0]).toMatchObject({ version: 1 });
});

test("the facts of a listing stay, and those of an own job change", async () => {
  const asha = await seeker();
  await saveJob(db, asha, { jobId: await publish(), state: "saved" });
  const [listed] = await rowsOf(asha);
  const facts = { title: "Mine", company: "Ours", place: "Goa", url: "https://ours.example/" };
  await changeTrackedJob(db, asha, { id: listed!.id, version: 0, state: "saved", ...facts });
  expect((await rowsOf(asha))[0]).toMatchObject({ title: jobFields.title });
  const id = await addTrackedJob(db, asha, { ...own, state: "saved" });
  await changeTrackedJob(db, asha, { id, version: 0, state: "saved", ...facts });
  expect((await findTrackedJob(db, asha, id))?.job).toMatchObject(facts);
});

test("nobody finds, changes or removes another person's job", async () => {
  const [asha, ravi] = [await seeker(), await person(db, "Ravi Nair")];
  const id = await trackedJob(db, asha);
  const [before] = await rowsOf(asha);
  expect(await findTrackedJob(db, ravi, id)).toBeNull();
  for (const one of [id, "none"]) {
    await expect(
      changeTrackedJob(db, ravi, { id: one, version: 0, state: "offer" }),
    ).rejects.toThrow(NotFound);
    await expect(removeTrackedJob(db, ravi, { id: one })).rejects.toThrow(NotFound);
  }
  // A removed job with the id of someone else's changes nothing.
  const mine = await trackedJob(db, ravi);
  const removed = removedJob.parse(await removeTrackedJob(db, ravi, { id: mine }));
  await restoreTrackedJob(db, ravi, { ...removed, id });
  expect(await rowsOf(asha)).toEqual([before]);
  expect(await rowsOf(ravi)).toEqual([]);
});

test("Undo restores a job with its history, once", async () => {
  const asha = await seeker();
  const jobId = await publish();
  await saveJob(db, asha, { jobId, state: "saved" });
  const [row] = await rowsOf(asha);
  const details = { state: "applied", appliedOn: "2026-02-03", notes: "“Hi”\nआशा" } as const;
  await changeTrackedJob(db, asha, { id: row!.id, version: 0, ...details });
  const removed = await removeTrackedJob(db, asha, { id: row!.id });
  expect(await rowsOf(asha)).toEqual([]);
  const sent = removedJob.parse(JSON.parse(JSON.stringify(removed)));
  await Promise.all([restoreTrackedJob(db, asha, sent), restoreTrackedJob(db, asha, sent)]);
  const restored = await rowsOf(asha);
  expect(restored).toHaveLength(1);
  expect(restored[0]).toMatchObject({ ...details, id: row!.id, jobId, version: 2 });
  expect(await statesOf(row!.id)).toEqual(["saved", "applied"]);
});

test("Undo after the listing was deleted restores the rest", async () => {
  const asha = await seeker();
  const jobId = await publish();
  await saveJob(db, asha, { jobId, state: "saved" });
  const [row] = await rowsOf(asha);
  const removed = removedJob.parse(await removeTrackedJob(db, asha, { id: row!.id }));
  await db.delete(jobs).where(eq(jobs.id, jobId));
  await restoreTrackedJob(db, asha, removed);
  expect((await findTrackedJob(db, asha, row!.id))?.job).toMatchObject({
    jobId: null,
    closed: { why: "Its listing was deleted." },
  });
});

test("a closed listing says why and names up to three open ones like it", async () => {
  const asha = await seeker();
  const title = `Kite Maker ${randomUUID().slice(0, 8)}`;
  const filled = await publish({ title });
  const lapsed = await publish({ title, jobType: "Internship" });
  const deleted = await publish({ title });
  for (const jobId of [filled, lapsed, deleted]) await saveJob(db, asha, { jobId, state: "saved" });
  const elsewhere = await addTrackedJob(db, asha, { ...own, title, state: "saved" });
  const open = await Promise.all(Array.from({ length: 4 }, () => publish({ title })));
  await db
    .update(jobs)
    .set({ isArchived: true, archivedReason: "filled" })
    .where(eq(jobs.id, filled));
  await db
    .update(jobs)
    .set({ liveUntil: new Date(now().getTime() - day) })
    .where(eq(jobs.id, lapsed));
  await db.delete(jobs).where(eq(jobs.id, deleted));

  const { rows } = await listTrackedJobs(db, asha, { state: null, after: null });
  const closed = (jobId: string) => rows.find(({ url }) => url === `/jobs/${jobId}`)!.closed;
  expect(closed(filled)?.why).toBe("The company has filled it.");
  expect(closed(lapsed)?.why).toBe("We couldn't confirm that it is still open.");
  expect(closed(deleted)?.why).toBe("Its listing was deleted.");
  expect(rows.find(({ id }) => id === elsewhere)!.closed).toBeNull();
  for (const jobId of [filled, deleted]) {
    const similar = closed(jobId)!.similar;
    expect(similar).toHaveLength(3);
    for (const { id } of similar) expect(open).toContain(id);
  }
  // There is no open internship like it.
  expect(closed(lapsed)?.similar).toEqual([]);
});

test("the nearest next step comes first, then the newest change, page by page", async () => {
  stopClock();
  const asha = await seeker();
  const at = (minutes: number) => new Date(now().getTime() - minutes * 60_000);
  const add = (title: string, fields: Partial<typeof trackedJobs.$inferInsert>) =>
    trackedJob(db, asha, { title, ...fields });
  await add("old", { updatedAt: at(50) });
  await add("new", { updatedAt: at(1) });
  await add("later", { nextStepOn: inDays(9), updatedAt: at(60) });
  await add("today", { nextStepOn: today(), state: "interviewing", updatedAt: at(70) });
  await add("overdue", { nextStepOn: inDays(-3), updatedAt: at(80) });
  await add("ended", { nextStepOn: inDays(-9), state: "rejected", updatedAt: at(40) });
  for (let count = 0; count < 19; count += 1) await add(`more ${count}`, { updatedAt: at(90) });
  const first = await listTrackedJobs(db, asha, { state: null, after: null });
  const titles = first.rows.map(({ title }) => title);
  expect(titles.slice(0, 6)).toEqual(["overdue", "today", "later", "new", "ended", "old"]);
  expect(first.rows).toHaveLength(20);
  const second = await listTrackedJobs(db, asha, { state: null, after: first.next });
  expect(second.rows).toHaveLength(5);
  expect(second.next).toBeNull();
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(25);
  const saved = await listTrackedJobs(db, asha, { state: "rejected", after: "none" });
  expect(saved.rows.map(({ title }) => title)).toEqual(["ended"]);

  expect(await countTrackedJobs(db, asha, today())).toEqual({
    states: { saved: 23, interviewing: 1, rejected: 1 },
    all: 25,
    overdue: 1,
    today: 1,
  });
  const all = await listAllTrackedJobs(db, asha);
  expect(all.slice(0, 6).map(({ title }) => title)).toEqual(titles.slice(0, 6));
});

test("the board learns only of the person's own listings", async () => {
  const [asha, ravi] = [await seeker(), await person(db, "Ravi Nair")];
  const [jobId, otherId] = [await publish(), await publish()];
  await saveJob(db, asha, { jobId, state: "saved" });
  await saveJob(db, asha, { jobId: otherId, state: "applied" });
  await trackedJob(db, asha);
  await saveJob(db, ravi, { jobId: otherId, state: "saved" });
  const listed = await listTrackedListings(db, asha, null);
  expect(listed.map(({ jobId: id }) => id).toSorted()).toEqual([jobId, otherId].toSorted());
  expect(await listTrackedListings(db, asha, otherId)).toEqual([
    { jobId: otherId, state: "applied" },
  ]);
  expect(await listTrackedListings(db, ravi, jobId)).toEqual([]);
  expect(await listTrackedListings(db, asha, "none")).toEqual([]);
});

test("text pasted from Word and WhatsApp is cleaned, and limits count what a field counts", () => {
  const form = newTrackedJob.parse({
    title: "Type\u00a0Designer\u200b",
    company: " Letter\u2028Works ",
    place: "Pune\t",
    url: "HTTPS://letters.example/jobs ",
    state: "saved",
  });
  expect(form).toMatchObject({
    title: "Type Designer",
    company: "Letter Works",
    place: "Pune",
    url: expect.stringMatching(/^https:\/\/letters\.example\/jobs$/i),
  });
  const details = { version: "0", state: "saved", appliedOn: "", nextStepOn: "" };
  const notes = (text: string) => trackedJobForm.safeParse({ ...details, notes: text });
  expect(notes("Hello\r\nworld\u0007 😀").data?.notes).toBe("Hello\nworld 😀");
  expect(notes("a".repeat(5_000)).success).toBe(true);
  expect(notes("😀".repeat(2_501)).success).toBe(false);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "//evil.example",
  "/jobs/1",
  "ftp://a.example",
  "mailto:a@b.example",
])("the address %s is refused", (url) => {
  expect(newTrackedJob.safeParse({ ...own, url, state: "saved" }).success).toBe(false);
});

test.each(["2026-02-30", "26-01-01", "1999-12-31", "2100-01-01", "tomorrow"])(
  "the date %s is refused",
  (nextStepOn) => {
    const form = { version: "0", state: "saved", appliedOn: "", nextStepOn, notes: "" };
    expect(trackedJobForm.safeParse(form).error?.issues[0]?.path).toEqual(["nextStepOn"]);
  },
);

test("a next step says if it is due", () => {
  const describe = (nextStepOn: string | null, state: "applied" | "rejected" = "applied") =>
    describeNextStep({ nextStepOn, state }, "2026-11-26");
  expect(describe("2026-11-25")).toEqual({ label: "Overdue since Nov 25, 2026", due: "overdue" });
  expect(describe("2026-11-26")).toEqual({ label: "Next step today", due: "today" });
  expect(describe("2026-11-27")).toEqual({ label: "Next step tomorrow", due: "later" });
  expect(describe("2026-12-02")).toEqual({ label: "Next step Dec 2, 2026", due: "later" });
  expect(describe(null)).toBeNull();
  expect(describe("2026-11-25", "rejected")).toBeNull();
});

test("the file quotes its cells and disarms formulas", () => {
  const row = {
    title: '=HYPERLINK("https://evil.example")',
    company: "+91 98",
    place: "-1",
    state: "applied",
    appliedOn: "2026-11-26",
    nextStepOn: null,
    url: "/jobs/1",
    notes: "@SUM(A1)\nSecond, “line”",
    motivation: "-I draw maps.",
  } as const;
  const file = formatTrackerFile(
    [row, { ...row, title: "\tA", notes: "", motivation: "＝1" }],
    "https://n.example",
  );
  const [head, ...lines] = file.split("\r\n");
  expect(head).toBe(
    '\uFEFF"Title","Company","Place","State","Applied on","Next step on","Link","Notes","Why this job"',
  );
  expect(lines[0]).toBe(
    `"'=HYPERLINK(""https://evil.example"")","'+91 98","'-1","Applied","2026-11-26","","https://n.example/jobs/1","'@SUM(A1)\nSecond, “line”","'-I draw maps."`,
  );
  expect(lines[1]).toMatch(/^"'\tA",.*,"'＝1"$/);
  expect(file.endsWith("\r\n")).toBe(true);
});

test("deleting an account deletes its list", async () => {
  const asha = await seeker();
  const id = await trackedJob(db, asha);
  await db.delete(users).where(eq(users.id, asha.id));
  expect(await statesOf(id)).toEqual([]);
});
