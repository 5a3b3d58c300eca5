import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { person } from "../../../tests/support/rows/people.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { trackedJob } from "../../../tests/support/rows/tracked-jobs.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { profiles, users } from "../../accounts/tables.server.ts";
import { findShareId, listOwnShares } from "../../annotations/share/find-shares.server.ts";
import { closeShare, createShare } from "../../annotations/share/shares.server.ts";
import { reviewShares } from "../../annotations/share/tables.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { removeTrackedJob, restoreTrackedJob } from "../tracker/change-tracked-job.server.ts";
import { removedJob } from "../tracker/forms.server.ts";
import { trackedJobs } from "../tracker/tables.server.ts";
import { findFirstMessage, saveFirstMessage } from "./first-message.server.ts";
import { messageLinks } from "./tables.server.ts";

const { db } = await testDatabase();
const config = { ...testConfig(), origin: "https://naksha.example" };
const texts = { motivation: "I draw maps.", portfolio: "https://asha.example/" };
const written = { ...texts, link: "portfolio" };

const findTexts = async (actor: Actor, jobId: string) =>
  (await findFirstMessage(db, config, actor, jobId))?.texts;
const rowsOf = ({ id }: { id: string }) =>
  db.select().from(trackedJobs).where(eq(trackedJobs.userId, id));

test("the line is kept for a job and a person, and the portfolio for all of their jobs", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const [first, second] = [(await insertJob(db)).id, (await insertJob(db)).id];
  expect(await findTexts(asha, first)).toEqual({ motivation: "", portfolio: "" });
  await saveFirstMessage(db, asha, { jobId: first, ...written });
  expect(await findTexts(asha, first)).toEqual(texts);
  expect(await findTexts(asha, second)).toEqual({ ...texts, motivation: "" });
  expect(await findTexts(ravi, first)).toEqual({ motivation: "", portfolio: "" });
  expect(await rowsOf(asha)).toMatchObject([{ jobId: first, state: "saved", version: 1 }]);
  await saveFirstMessage(db, asha, { jobId: first, motivation: "", portfolio: "", link: "none" });
  expect(await findTexts(asha, first)).toEqual({ motivation: "", portfolio: "" });
});

test("the same line changes no version, and a listing in the list keeps its state", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: jobId } = await insertJob(db);
  const id = await trackedJob(db, asha, { jobId, state: "offer", version: 4 });
  await saveFirstMessage(db, asha, { jobId, ...written });
  await saveFirstMessage(db, asha, { jobId, ...written });
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
  const own = await findFirstMessage(db, config, asha, id);
  expect(own!.message.subject).toBe("Map Maker at Sample Studio: Asha Verma");
  expect(JSON.stringify(own!.message)).not.toMatch(/secret/i);
  expect(own!.message.body).toContain(`https://naksha.example/jobs/${id}`);
});

test("a job that isn't open has no message, and none is kept", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: closed } = await insertJob(db, { isArchived: true });
  for (const jobId of [closed, randomUUID(), "none"]) {
    expect(await findTexts(asha, jobId)).toBeUndefined();
    await expect(saveFirstMessage(db, asha, { jobId, ...written })).rejects.toThrow(NotFound);
  }
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, asha.id));
  expect(profile!.portfolioUrl).toBeNull();
});

test("removing a job removes its line, and Undo brings it back, also from an older page", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: jobId } = await insertJob(db);
  await saveFirstMessage(db, asha, { jobId, ...written });
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
  await saveFirstMessage(db, asha, { jobId, ...written });
  await db.delete(jobs).where(eq(jobs.id, jobId));
  // Their list outlives the listing.
  expect(await rowsOf(asha)).toMatchObject([{ jobId: null, motivation: texts.motivation }]);
  await db.delete(users).where(eq(users.id, asha.id));
  expect(await rowsOf(asha)).toEqual([]);
  expect(await db.$count(profiles, eq(profiles.id, asha.id))).toBe(0);
});

/** Shares a new completed review. */
async function share(owner: Actor) {
  const { id: reviewId } = await review(db, owner, { status: "completed" });
  await createShare(db, owner, { reviewId, hidden: [], withFeedback: false });
  const [newest] = await listOwnShares(db, owner);
  return { reviewId, id: newest!.id };
}

async function findWork(actor: Actor, jobId: string) {
  const { link, message } = (await findFirstMessage(db, config, actor, jobId))!;
  return { link, work: /My work: (.*)/.exec(message.body)?.[1] };
}

const ownAddress = { link: "portfolio", work: texts.portfolio };

test("a shared review is the link of all messages, with an address that leads to it", async () => {
  const asha = await person(db, "Asha Verma");
  const [first, second] = [(await insertJob(db)).id, (await insertJob(db)).id];
  const { id } = await share(asha);
  await saveFirstMessage(db, asha, { ...written, jobId: first, link: id });
  const { link, work } = await findWork(asha, second);
  expect(link).toBe(id);
  const token = /^https:\/\/naksha\.example\/shared\/(.*)$/.exec(work!)![1]!;
  expect(await findShareId(db, config, token)).toBe(id);
  expect((await findFirstMessage(db, config, asha, second))!.shares).toMatchObject([
    { id, serviceType: "resume_review" },
  ]);
  await saveFirstMessage(db, asha, { ...written, jobId: first, link: "none" });
  expect(await findWork(asha, second)).toEqual({ link: "none", work: undefined });
  await saveFirstMessage(db, asha, { ...written, jobId: first });
  expect(await findWork(asha, second)).toEqual(ownAddress);
});

test.each<[string, (owner: Actor, share: { id: string; reviewId: string }) => Promise<unknown>]>([
  ["ends", (owner, { reviewId }) => closeShare(db, owner, { reviewId })],
  [
    "is replaced",
    (owner, { reviewId }) => createShare(db, owner, { reviewId, hidden: [], withFeedback: false }),
  ],
  [
    "expires",
    (_owner, { id }) =>
      db
        .update(reviewShares)
        .set({ expiresAt: new Date(now().getTime() - 1) })
        .where(eq(reviewShares.id, id)),
  ],
  ["is deleted", (_owner, { id }) => db.delete(reviewShares).where(eq(reviewShares.id, id))],
  [
    "goes with its review",
    (_owner, { reviewId }) => db.delete(serviceReviews).where(eq(serviceReviews.id, reviewId)),
  ],
])(
  "when the share %s, messages have the portfolio address again, and an open page can't save it",
  async (_name, end) => {
    const asha = await person(db, "Asha Verma");
    const { id: jobId } = await insertJob(db);
    const shared = await share(asha);
    await saveFirstMessage(db, asha, { ...written, jobId, link: shared.id });
    await end(asha, shared);
    expect(await findWork(asha, jobId)).toEqual(ownAddress);
    const older = { ...written, jobId, motivation: "I paint signs.", link: shared.id };
    await expect(saveFirstMessage(db, asha, older)).rejects.toThrow(Invalid);
    expect(await findTexts(asha, jobId)).toEqual(texts);
  },
);

test("only an own open share is accepted, and nothing is saved with another", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const { id: jobId } = await insertJob(db);
  const { id: theirs, reviewId } = await share(ravi);
  for (const link of [theirs, reviewId, randomUUID(), "", "None", `${theirs}' or true --`])
    await expect(saveFirstMessage(db, asha, { ...written, jobId, link })).rejects.toThrow(
      new Invalid({ link: "This review is no longer shared. Choose another link." }),
    );
  expect(await rowsOf(asha)).toEqual([]);
  expect(await db.$count(messageLinks, eq(messageLinks.userId, asha.id))).toBe(0);
});

test("another person's share isn't shown, even if its row says so", async () => {
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  const { id: jobId } = await insertJob(db);
  await saveFirstMessage(db, asha, { ...written, jobId });
  await db.insert(messageLinks).values({ userId: asha.id, shareId: (await share(ravi)).id });
  expect(await findWork(asha, jobId)).toEqual(ownAddress);
});

test("the choice of a link is deleted with the account", async () => {
  const asha = await person(db, "Asha Verma");
  const { id: jobId } = await insertJob(db);
  await saveFirstMessage(db, asha, { ...written, jobId, link: "none" });
  await db.delete(users).where(eq(users.id, asha.id));
  expect(await db.$count(messageLinks, eq(messageLinks.userId, asha.id))).toBe(0);
});
