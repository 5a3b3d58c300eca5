import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { restoreAccount } from "../../../app/accounts/restore-account.server.tsx";
import { sealedFor } from "../../../app/accounts/rules.ts";
import { sealedAccounts, users } from "../../../app/accounts/tables.server.ts";
import { clearContactOf } from "../../../app/checks/question/own-contact.server.ts";
import { jobs, stoppedContacts } from "../../../app/jobs/tables.server.ts";
import { mails } from "../../../app/mail/tables.server.ts";
import { closeOwnAccount } from "../../../app/own-data/closing/close-account.server.tsx";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { addRemovals, applyRemovalsAgain } from "./removals.ts";

const { db } = await testDatabase();
const config = testConfig();

const userRow = async (id: string) => (await db.select().from(users).where(eq(users.id, id)))[0]!;
/** Makes the database older than the closing. */
const undoClosing = (id: string) => db.transaction((tx) => restoreAccount(tx, config, id));

test("an older backup gets the closings since, with their dates and without an email", async () => {
  const folder = ownFolder(onTestFinished);
  const [asha, ravi] = [await person(db, "Asha Verma"), await person(db, "Ravi Nair")];
  await closeOwnAccount(db, asha, config);
  const { closedAt } = await userRow(asha.id);
  expect(await addRemovals(db, folder)).toBe(1);
  expect(await addRemovals(db, folder)).toBe(0);
  const list = await readFile(join(folder, "removals.jsonl"), "utf8");
  expect(list).not.toContain(asha.email);

  await undoClosing(asha.id);
  const { id: reviewId } = await review(db, asha);
  await db.delete(mails);
  expect(await applyRemovalsAgain(db, config, folder)).toBe(1);
  expect(await applyRemovalsAgain(db, config, folder)).toBe(0);

  expect((await userRow(asha.id)).closedAt).toEqual(closedAt);
  expect((await userRow(ravi.id)).closedAt).toBeNull();
  expect(await db.$count(mails)).toBe(0);
  const [sealed] = await db.select().from(sealedAccounts);
  expect(sealed!.purgeAt.getTime() - closedAt!.getTime()).toBe(sealedFor);

  const [open] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, reviewId));
  expect(open!.withdrawnAt).not.toBeNull();
});

test("a person who came back stays, and a line that a crash cut off does no harm", async () => {
  const folder = ownFolder(onTestFinished);
  const asha = await person(db, "Asha Verma");
  await closeOwnAccount(db, asha, config);
  await addRemovals(db, folder);
  await appendFile(join(folder, "removals.jsonl"), '{"kind":"clo');
  await undoClosing(asha.id);
  await addRemovals(db, folder);
  await applyRemovalsAgain(db, config, folder);
  expect((await userRow(asha.id)).closedAt).toBeNull();
});

test("an older backup loses the contacts that were removed since", async () => {
  const folder = ownFolder(onTestFinished);
  const email = "kiran@chaupal.example";
  const { id } = (await insertJob(db, { pocName: "Kiran", pocContact: email })) as { id: string };
  await db.transaction((tx) => clearContactOf(tx, { email }, config));
  expect(await db.$count(stoppedContacts)).toBeGreaterThan(0);
  await addRemovals(db, folder);
  await db.delete(stoppedContacts);
  await db.update(jobs).set({ pocName: "Kiran", pocContact: email }).where(eq(jobs.id, id));

  await applyRemovalsAgain(db, config, folder);

  const [job] = await db.select().from(jobs).where(eq(jobs.id, id));
  expect(job).toMatchObject({ pocName: null, pocContact: null });
  expect(await db.$count(stoppedContacts, eq(stoppedContacts.reason, "withdrawn"))).toBe(1);
});
