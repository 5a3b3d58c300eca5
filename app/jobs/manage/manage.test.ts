import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { Conflict, Denied, NotFound } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { type JobDetails, noDetails } from "../details.ts";
import { listJobs } from "../find.server.ts";
import { jobs } from "../tables.server.ts";
import {
  archiveJob,
  createJob,
  deleteJob,
  unarchiveJob,
  updateJob,
  getJobVersion,
  toWrittenFields,
} from "./job-commands.server.ts";
import { listListings, findListing } from "./job-management.server.ts";
import type { JobFields } from "./rules.ts";
import { jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const job: JobFields = { ...jobFields, title: "Map Maker" };

const details: JobDetails = {
  ...noDetails,
  discipline: "product",
  workMode: "hybrid",
  experienceMin: 2,
  experienceMax: 4,
  skillIds: [1, 15],
  payMin: 1_200_000,
  payMax: 1_800_000,
  payPeriod: "year",
};

const { db, url } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(jobs));

const changes: [string, (actor: Actor | null, id: string) => Promise<unknown>][] = [
  ["update", (actor, id) => updateJob(db, actor, id, { ...job, title: "Map Keeper" })],
  ["archive", (actor, id) => archiveJob(db, actor, id)],
  ["unarchive", (actor, id) => unarchiveJob(db, actor, id)],
  ["delete", (actor, id) => deleteJob(db, actor, id)],
];

test("adders, subscribers and god admins publish listings of their own", async () => {
  for (const actor of [who.devi, who.sonia, who.gita]) {
    const id = await createJob(db, actor, job);
    expect(await jobRow(db, id)).toMatchObject({
      ...job,
      createdBy: actor.id,
      postedAt: expect.any(Date),
      updatedAt: null,
      isArchived: false,
    });
  }
});

test("a visitor gets an error that asks them to sign in", async () => {
  await expect(createJob(db, null, job)).rejects.toThrow(
    "You must be signed in to create or edit a job listing",
  );
});

test.each(changes)("%s: another person's listing is not found", async (_change, change) => {
  const theirs = await createJob(db, who.devi, job);
  await expect(change(who.omar, theirs)).rejects.toThrow(NotFound);
});

test("access ends with the subscription or the role", async () => {
  const id = await createJob(db, who.sonia, job);
  const ended = { ...who.sonia, hasActiveSubscription: false };
  await expect(updateJob(db, ended, id, job)).rejects.toThrow(Denied);
  const adder = { ...ended, isJobBoardAdder: true };
  await updateJob(db, adder, id, { ...job, title: "Still mine" });
});

test("the same form sent several times publishes one listing", async () => {
  const form = randomUUID();
  const sent = await Promise.all(
    Array.from({ length: 5 }, () => createJob(db, who.devi, job, form)),
  );
  expect(new Set(sent)).toEqual(new Set([form]));
  expect(await db.$count(jobs)).toBe(1);
  expect(await eventsOn(form)).toEqual(["job.create"]);
});

test("the same form with other values publishes another listing", async () => {
  const form = randomUUID();
  const first = await createJob(db, who.devi, job, form);
  const other = await createJob(db, who.devi, { ...job, title: "Globe Maker" }, form);
  const foreign = await createJob(db, who.omar, job, form);
  expect(new Set([first, other, foreign]).size).toBe(3);
  expect((await jobRow(db, first)).title).toBe("Map Maker");
  expect((await jobRow(db, foreign)).createdBy).toBe(who.omar.id);
});

test("an edit changes neither owner nor date", async () => {
  const id = await createJob(db, who.devi, job);
  const before = await jobRow(db, id);
  const sneaky = { ...job, title: "Map Keeper", createdBy: who.omar.id, postedAt: new Date(0) };
  await updateJob(db, who.gita, id, sneaky);
  const { title, createdBy, postedAt, updatedAt } = await jobRow(db, id);
  expect({ title, createdBy, postedAt }).toEqual({
    title: "Map Keeper",
    createdBy: who.devi.id,
    postedAt: before.postedAt,
  });
  expect(updatedAt!.getTime()).toBeGreaterThanOrEqual(postedAt.getTime());
});

test("an edit does not overwrite another person's newer changes", async () => {
  const id = await createJob(db, who.devi, job);
  const opened = await currentVersion(id);
  const raised = { ...job, compensation: "₹12 LPA" };
  await updateJob(db, who.gita, id, raised, opened);
  const moved = updateJob(db, who.devi, id, { ...job, location: "Kochi" }, opened);
  await expect(moved).rejects.toThrow(
    "Someone else changed this listing after you opened it. Please reload.",
  );
  expect(await jobRow(db, id)).toMatchObject(raised);

  // Sending the same change again does nothing, and a person who has read the current text can continue.
  await updateJob(db, who.devi, id, raised, opened);
  const moves = { ...raised, location: "Kochi" };
  await updateJob(db, who.devi, id, moves, await currentVersion(id));
  expect(await jobRow(db, id)).toMatchObject(moves);
});

test("an edit does not overwrite another person's newer details", async () => {
  const id = await createJob(db, who.devi, { ...job, ...details });
  const opened = await currentVersion(id);
  await updateJob(db, who.gita, id, { ...job, ...details, skillIds: [1, 2] }, opened);
  const changed = { ...job, ...details, title: "Map Keeper" };
  await expect(updateJob(db, who.devi, id, changed, opened)).rejects.toThrow(Conflict);
  expect(await jobRow(db, id)).toMatchObject({ title: "Map Maker", skillIds: [1, 2] });
});

test("an edit without details leaves them unchanged", async () => {
  const id = await createJob(db, who.devi, { ...job, ...details });
  await updateJob(db, who.devi, id, { ...job, title: "Map Keeper" });
  expect(await jobRow(db, id)).toMatchObject({ title: "Map Keeper", ...details });
  const edit = (await linesOn(id)).find(({ event }) => event === "job.update");
  expect(edit).toMatchObject({ before: { title: "Map Maker" }, after: { title: "Map Keeper" } });
  expect(Object.keys(edit!.after as object)).toEqual(["title"]);
});

test("the audit trail has each changed detail", async () => {
  const id = await createJob(db, who.devi, { ...job, ...details });
  const changed = { ...details, skillIds: [1], payMax: 2_000_000 };
  await updateJob(db, who.devi, id, { ...job, ...changed });
  const edit = (await linesOn(id)).find(({ event }) => event === "job.update");
  expect(edit!.before).toEqual({ skillIds: [1, 15], payMax: 1_800_000 });
  expect(edit!.after).toEqual({ skillIds: [1], payMax: 2_000_000 });
});

test("the same form with other details publishes another listing", async () => {
  const form = randomUUID();
  const first = await createJob(db, who.devi, { ...job, ...details }, form);
  expect(await createJob(db, who.devi, { ...job, ...details }, form)).toBe(first);
  const other = await createJob(db, who.devi, { ...job, ...details, skillIds: [1] }, form);
  expect(other).not.toBe(first);
  expect(await db.$count(jobs)).toBe(2);
});

test("the audit trail has each edit with its changes", async () => {
  const id = await createJob(db, who.devi, job);
  await updateJob(db, who.devi, id, { ...job, compensation: "₹12 LPA" });
  await updateJob(db, who.devi, id, { ...job, compensation: "₹12 LPA" });
  expect(await eventsOn(id)).toEqual(["job.create", "job.update"]);
  const edit = (await linesOn(id)).find(({ event }) => event === "job.update");
  expect(edit).toMatchObject({
    actorId: who.devi.id,
    before: { compensation: null },
    after: { compensation: "₹12 LPA" },
  });
});

test("archiving removes a listing from the public board, and unarchiving restores it", async () => {
  const id = await createJob(db, who.devi, job);
  const publicIds = async () => (await listJobs(db, {})).jobs.map((listed) => listed.id);
  expect(await publicIds()).toEqual([id]);
  await archiveJob(db, who.devi, id);
  expect(await publicIds()).toEqual([]);
  await unarchiveJob(db, who.devi, id);
  expect(await publicIds()).toEqual([id]);
  expect(await eventsOn(id)).toEqual(["job.archive", "job.create", "job.unarchive"]);
});

test("the audit trail has the text of a deleted listing", async () => {
  const id = await createJob(db, who.devi, job);
  await deleteJob(db, who.devi, id);
  expect(await jobRow(db, id)).toBeUndefined();
  const line = (await linesOn(id)).find(({ event }) => event === "job.delete");
  expect(line).toMatchObject({ before: { ...job, createdBy: who.devi.id } });
});

test("every change is announced, so that cached pages are updated", async () => {
  const client = new pg.Client({ connectionString: url });
  let notifications = 0;
  client.on("notification", () => (notifications += 1));
  await client.connect();
  await client.query("listen jobs_changed");
  const id = await createJob(db, who.devi, job);
  for (const [, change] of changes) await change(who.devi, id);
  await client.query("select 1");
  // Unarchiving what was archived counts too: create, update, archive, unarchive, delete.
  expect(notifications).toBeGreaterThanOrEqual(5);
  await client.end();
});

test("a list has the person's own listings or everyone's, newest first", async () => {
  const older = await createJob(db, who.devi, { ...job, title: "Older" });
  await db.update(jobs).set({ postedAt: new Date("2025-01-05T00:00:00Z") });
  await createJob(db, who.devi, { ...job, title: "Newer" });
  await createJob(db, who.omar, { ...job, title: "Omar's", jobType: "Internship" });
  const open = { isArchived: false, search: "", type: null, after: null };
  const titles = async (...args: Parameters<typeof listListings>) =>
    (await listListings(...args)).rows.map(({ title }) => title);
  expect(await titles(db, who.devi, "own", open)).toEqual(["Newer", "Older"]);
  expect(await titles(db, who.gita, "own", open)).toEqual([]);
  expect(await titles(db, who.gita, "all", open)).toEqual(["Omar's", "Newer", "Older"]);
  expect(await titles(db, who.gita, "all", { ...open, type: "Internship" })).toEqual(["Omar's"]);
  expect(await titles(db, who.gita, "all", { ...open, search: "oLd" })).toEqual(["Older"]);
  await archiveJob(db, who.devi, older);
  expect(await titles(db, who.devi, "own", open)).toEqual(["Newer"]);
  expect(await titles(db, who.devi, "own", { ...open, isArchived: true })).toEqual(["Older"]);
  await expect(titles(db, who.asha, "own", open)).rejects.toThrow(Denied);
});

test("only people who may manage a listing can open its form", async () => {
  const id = await createJob(db, who.devi, job);
  expect(await findListing(db, who.devi, "own", id)).toMatchObject(job);
  expect(await findListing(db, who.gita, "all", id)).toMatchObject(job);
  expect(await findListing(db, who.gita, "own", id)).toBeNull();
  expect(await findListing(db, who.omar, "own", id)).toBeNull();
  expect(await findListing(db, who.omar, "own", "nope")).toBeNull();
});

async function currentVersion(id: string) {
  return getJobVersion(toWrittenFields((await findListing(db, who.gita, "all", id))!));
}

/** Sorted by name, since lines of the same millisecond have no order. */
async function eventsOn(id: string): Promise<string[]> {
  return (await linesOn(id)).map(({ event }) => event).toSorted();
}

async function linesOn(id: string) {
  return db.select().from(auditEvents).where(eq(auditEvents.subjectId, id));
}
