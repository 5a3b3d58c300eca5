import { globSync, readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { unsentMail } from "../../../tests/support/rows/admin-things.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { countUnsentMails } from "../../mail/deliver-mail.server.ts";
import { mails } from "../../mail/tables.server.ts";
import { now, second } from "../../platform/clock.ts";
import { listUndeliveredMails } from "../overview.server.ts";
import {
  cancelMail,
  listQueuedMails,
  mailKinds,
  retryGivenUpMails,
  retryMail,
} from "./manage-mails.server.ts";

const { db } = await testDatabase();
const { gita } = await people(db);
const all = { state: null, after: null };

beforeEach(async () => {
  await db.delete(mails);
});

test("a mail is listed with its state and last error, and never with its text", async () => {
  await unsentMail(db, gita);
  const { rows, counts } = await listQueuedMails(db, gita, all);
  expect(rows[0]).toMatchObject({
    state: "given-up",
    lastError: "550 no such mailbox",
    attempts: 1,
  });
  expect(JSON.stringify(rows)).not.toContain("token");
  expect(counts["given-up"].counted).toBe(1);
});

test("what is sent again waits for its next try", async () => {
  const id = await unsentMail(db, gita);
  await retryMail(db, gita, id);
  const { rows } = await listQueuedMails(db, gita, { state: "failing", after: null });
  expect(rows[0]?.nextTryAt?.getTime()).toBeLessThan(now().getTime() + second);
  await unsentMail(db, gita);
  expect(await retryGivenUpMails(db, gita)).toBe(1);
});

test("a mail that is called off loses its text, and nobody hears of it again", async () => {
  const id = await unsentMail(db, gita);
  await cancelMail(db, gita, id);
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail).toMatchObject({ state: "dropped", html: "", text: "", sentAt: null });
  expect(await countUnsentMails(db)).toEqual({ waiting: 0, failed: 0 });
  expect((await listUndeliveredMails(db, gita)).total).toBe(0);
  await expect(retryMail(db, gita, id)).rejects.toThrow("called off");
  await expect(cancelMail(db, gita, id)).rejects.toThrow("called off");
  expect(await retryGivenUpMails(db, gita)).toBe(0);
});

test("a mail that is just leaving is neither called off nor sent twice", async () => {
  const id = await unsentMail(db, gita);
  const leasedUntil = new Date(now().getTime() + 30 * second);
  await db.update(mails).set({ leasedUntil, givenUpAt: null });
  await expect(cancelMail(db, gita, id)).rejects.toThrow("just leaving");
  await expect(retryMail(db, gita, id)).rejects.toThrow("just leaving");
});

test("of sending again and calling off at once, what is called off stays so", async () => {
  const id = await unsentMail(db, gita);
  await Promise.allSettled([retryMail(db, gita, id), cancelMail(db, gita, id)]);
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail?.state).toBe("dropped");
});

test("every mail has words for what it is about", () => {
  const files = globSync("app/**/*.{ts,tsx}").filter((file) => !file.includes(".test."));
  const sources = files.map((file) => readFileSync(file, "utf8"));
  const kinds = sources.flatMap((text) => [...text.matchAll(/\bcause: `([\w-]+):/g)]);
  expect(kinds.length).toBeGreaterThan(12);
  expect(kinds.map(([, kind]) => kind!).filter((kind) => !mailKinds[kind])).toEqual([]);
});
