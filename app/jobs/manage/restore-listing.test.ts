import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { jobFields, jobRow } from "../../../tests/support/rows/jobs.ts";
import { now } from "../../platform/clock.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import { jobs } from "../tables.server.ts";
import { archiveJob, createJob, unarchiveJob, updateJob } from "./job-commands.server.ts";
import { restoreListing } from "./restore-listing.server.ts";

const { db, ...who } = await testPeople();

beforeEach(async () => {
  await db.delete(jobs);
});

test("undoing an archiving puts the listing back as it was", async () => {
  const id = await createJob(db, who.devi, jobFields);
  const before = await jobRow(db, id);
  const at = await archiveJob(db, who.devi, id);
  expect(await restoreListing(db, who.devi, { id, at: at! })).toBe(false);
  expect(await jobRow(db, id)).toEqual(before);
  await expect(restoreListing(db, who.devi, { id, at: at! })).rejects.toThrow(Conflict);
});

test("undoing an unarchiving restores the reason and the closing date", async () => {
  const id = await createJob(db, who.devi, jobFields);
  await db
    .update(jobs)
    .set({ isArchived: true, archivedReason: "reported", closesOn: "2020-01-31" })
    .where(eq(jobs.id, id));
  const at = await unarchiveJob(db, who.gita, id);
  expect(await jobRow(db, id)).toMatchObject({ archivedReason: null, closesOn: null });
  expect(await restoreListing(db, who.gita, { id, at: at! })).toBe(true);
  expect(await jobRow(db, id)).toMatchObject({
    isArchived: true,
    archivedReason: "reported",
    closesOn: "2020-01-31",
  });
  // Its owner still can't publish it.
  await expect(unarchiveJob(db, who.devi, id)).rejects.toThrow("after reports");
});

test("an undo is refused after another change", async () => {
  const id = await createJob(db, who.devi, jobFields);
  const at = (await archiveJob(db, who.devi, id))!;
  await updateJob(db, who.gita, id, { ...jobFields, location: "Kochi" });
  await expect(restoreListing(db, who.devi, { id, at })).rejects.toThrow("changed after that");
  await unarchiveJob(db, who.gita, id);
  const again = (await archiveJob(db, who.devi, id))!;
  await db.update(jobs).set({ archivedReason: "reported" }).where(eq(jobs.id, id));
  await expect(restoreListing(db, who.devi, { id, at: again })).rejects.toThrow(Conflict);
  expect(await jobRow(db, id)).toMatchObject({ isArchived: true, archivedReason: "reported" });
});

test("an undo concerns the actor's own change of a listing that they manage", async () => {
  const id = await createJob(db, who.devi, jobFields);
  const at = (await archiveJob(db, who.gita, id))!;
  await expect(restoreListing(db, who.devi, { id, at })).rejects.toThrow(Conflict);
  await expect(restoreListing(db, who.omar, { id, at })).rejects.toThrow(NotFound);
  await expect(restoreListing(db, who.gita, { id: "none", at })).rejects.toThrow(NotFound);
  await expect(restoreListing(db, who.gita, { id, at: now() })).rejects.toThrow(Conflict);
  expect(await jobRow(db, id)).toMatchObject({ isArchived: true });
});

test("an undo and another change of the listing wait for each other", async () => {
  const id = await createJob(db, who.devi, jobFields);
  const at = (await archiveJob(db, who.devi, id))!;
  const [undone] = await Promise.allSettled([
    restoreListing(db, who.devi, { id, at }),
    unarchiveJob(db, who.gita, id),
  ]);
  expect(await jobRow(db, id)).toMatchObject({ isArchived: false });
  if (undone.status === "rejected") expect(undone.reason).toBeInstanceOf(Conflict);
});
