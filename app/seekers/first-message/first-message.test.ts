import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { person } from "../../../tests/support/rows/people.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { removeTrackedJob, restoreTrackedJob } from "../tracker/change-tracked-job.server.ts";
import { removedJob } from "../tracker/forms.server.ts";
import { trackedJobs } from "../tracker/tables.server.ts";
import { findFirstMessage, saveFirstMessage } from "./first-message.server.ts";

const { db } = await testDatabase();
const texts = { motivation: "I draw maps.", portfolio: "https://asha.example/" };

const findTexts = async (actor: Parameters<typeof findFirstMessage>[1], jobId: string) =>
  (await findFirstMessage(db, actor, jobId, "https://naksha.example"))?.texts;
const rowsOf = ({ id }: { id: string }) =>
  db.select().from(trackedJobs).where(eq(trackedJobs.userId, id));

test("the line is kept for a job and a person, and the portfolio for all of their jobs", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const [first, second] = [(await insertJob(db)).id, (await insertJob(db)).id];
  expect(await findTexts(asha, first)).toEqual({ motivation: "", portfolio: "" });
  await saveFirstMessage(db, asha, { jobId: first, ...texts });
  expect(await findTexts(asha, first)).toEqual(texts);
  expect(await findTexts(asha, second)).toEqual({ ...texts, motivation: "" });
  expect(await findTexts(ravi, first)).toEqual({ motivation: "", portfolio: "" });
  expect(await rowsOf(asha)).toMatchObject([{ jobId: first, state: "saved", version: 1 }]);
  await saveFirstMessage(db, asha, { jobId: first, motivation: "", portfolio: "" });
  expect(await findTexts(asha, first)).toEqual({ motivation: "", portfolio: "" });
});

test("the same line changes no version, and a listing in the list keeps its state", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: jobId } = await insertJob(db);
  const id = await trackedJob(db, asha, { jobId, state: "offer", version: 4 });
  await saveFirstMessage(db, asha, { jobId, ...texts });
  await saveFirstMessage(db, asha, { jobId, ...texts });
  expect(await rowsOf(asha)).toMatchObject([{ id, state: "offer", version: 5 }]);
});

test("the message names the job without line breaks, and never the contact", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await insertJob(db, {
    title: "Map\r\nMaker",
    company: "Sample\nStudio",
    pocName: "Ira Secret",
    pocContact: "ira@secret.example",
  });
  const own = await findFirstMessage(db, asha, id, "https://naksha.example");
  expect(own!.message.subject).toBe("Map Maker at Sample Studio: Asha Verma");
  expect(JSON.stringify(own!.message)).not.toMatch(/secret/i);
  expect(own!.message.body).toContain(`https://naksha.example/jobs/${id}`);
});

test("a job that isn't open has no message, and none is kept", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: closed } = await insertJob(db, { isArchived: true });
  for (const jobId of [closed, randomUUID(), "none"]) {
    expect(await findTexts(asha, jobId)).toBeUndefined();
    await expect(saveFirstMessage(db, asha, { jobId, ...texts })).rejects.toThrow(NotFound);
  }
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(profile!.portfolioUrl).toBeNull();
});

test("removing a job removes its line, and Undo brings it back, also from an older page", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: jobId } = await insertJob(db);
  await saveFirstMessage(db, asha, { jobId, ...texts });
  const [row] = await rowsOf(asha);
  const removed = await removeTrackedJob(db, asha, { id: row!.id });
  expect(await findTexts(asha, jobId)).toEqual({ ...texts, motivation: "" });
  await restoreTrackedJob(db, asha, removedJob.parse(JSON.parse(JSON.stringify(removed))));
  expect(await findTexts(asha, jobId)).toEqual(texts);
  const { motivation: _motivation, ...older } = removed;
  expect(removedJob.parse(older)).toMatchObject({ motivation: "" });
});

test("a line outlives its listing, and is deleted with the account", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: jobId } = await insertJob(db);
  await saveFirstMessage(db, asha, { jobId, ...texts });
  await db.delete(jobs).where(eq(jobs.id, jobId));
  // Their list outlives the listing.
  expect(await rowsOf(asha)).toMatchObject([{ jobId: null, motivation: texts.motivation }]);
  await db.delete(users).where(eq(users.id, asha.id));
  expect(await rowsOf(asha)).toEqual([]);
  expect(await db.$count(profiles, eq(profiles.id, asha.id))).toBe(0);
});
