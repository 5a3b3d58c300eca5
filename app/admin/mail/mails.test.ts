import { globSync, readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { unsentMail } from "../../../tests/support/rows/admin-things.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
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

const { db, gita } = await testPeople();
const all = { state: null, after: null };

beforeEach(async () => {
  await db.delete(mails);
});

test("an email is listed with its state and last error, but not its text", async () => {
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

test("a resent email is queued for its next attempt", async () => {
  const id = await unsentMail(db, gita);
  await retryMail(db, gita, id);
  const { rows } = await listQueuedMails(db, gita, { state: "failing", after: null });
  expect(rows[0]?.nextTryAt?.getTime()).toBeLessThan(now().getTime() + second);
  await unsentMail(db, gita);
  expect(await retryGivenUpMails(db, gita)).toBe(1);
});

test("a discarded email loses its text and is no longer reported", async () => {
  const id = await unsentMail(db, gita);
  await cancelMail(db, gita, id);
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail).toMatchObject({ state: "dropped", html: "", text: "", sentAt: null });
  expect(await countUnsentMails(db)).toEqual({ waiting: 0, failed: 0 });
  expect((await listUndeliveredMails(db, gita)).total).toBe(0);
  await expect(retryMail(db, gita, id)).rejects.toThrow("discarded");
  await expect(cancelMail(db, gita, id)).rejects.toThrow("discarded");
  expect(await retryGivenUpMails(db, gita)).toBe(0);
});

test("an email that is being sent can't be discarded or resent", async () => {
  const id = await unsentMail(db, gita);
  const leasedUntil = new Date(now().getTime() + 30 * second);
  await db.update(mails).set({ leasedUntil, givenUpAt: null });
  await expect(cancelMail(db, gita, id)).rejects.toThrow("being sent");
  await expect(retryMail(db, gita, id)).rejects.toThrow("being sent");
});

test("an email that is discarded and resent together stays discarded", async () => {
  const id = await unsentMail(db, gita);
  await Promise.allSettled([retryMail(db, gita, id), cancelMail(db, gita, id)]);
  const [mail] = await db.select().from(mails).where(eq(mails.id, id));
  expect(mail?.state).toBe("dropped");
});

test("every kind of email has a label", () => {
  const files = globSync("app/**/*.{ts,tsx}").filter((file) => !file.includes(".test."));
  const sources = files.map((file) => readFileSync(file, "utf8"));
  const kinds = sources.flatMap((text) => [...text.matchAll(/\bcause: `([\w-]+):/g)]);
  expect(kinds.length).toBeGreaterThan(12);
  expect(kinds.map(([, kind]) => kind!).filter((kind) => !mailKinds[kind])).toEqual([]);
});
