import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import { order } from "../../../tests/support/rows/refunds.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { saveMailChoices } from "../../accounts/mail-choices/mail-choices.server.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { queueOrderDigests } from "./reminders.server.ts";

const config = testConfig();
const { db } = await testDatabase();
let [gita, asha]: Actor[] = [];

beforeEach(async () => {
  // March 1, 2026, 10 AM in India.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T04:30:00Z") });
  await db.delete(serviceReviews);
  gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  asha = await person(db, "Asha Verma");
});

test("at 9 AM one email lists the orders since the last one", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  await buys("2026-03-02T03:00:00Z");
  await runDigestsAt("2026-03-02T03:29:00Z");
  expect(await mails()).toEqual([]);
  await runDigestsAt("2026-03-02T03:30:00Z");
  await runDigestsAt("2026-03-02T03:31:00Z");
  expect(await mails()).toEqual(["2 new review orders"]);
});

test("no orders means no email, and a late email covers all days since the last one", async () => {
  await chooses("every morning");
  await runDigestsAt("2026-03-02T04:00:00Z");
  expect(await mails()).toEqual([]);
  await buys("2026-03-02T10:00:00Z");
  await buys("2026-03-03T10:00:00Z");
  // No task ran for two days.
  await runDigestsAt("2026-03-04T12:00:00Z");
  expect(await mails()).toEqual(["2 new review orders"]);
});

test("an admin who turns the digest off gets one last email up to that change", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  vi.setSystemTime("2026-03-01T10:00:00Z");
  await chooses("at once");
  await buys("2026-03-01T11:00:00Z");
  await runDigestsAt("2026-03-02T04:00:00Z");
  await runDigestsAt("2026-03-03T04:00:00Z");
  expect(await mails()).toEqual(["New review order"]);
});

test("an admin who chose no emails, or lost the role, gets none", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  await chooses("never");
  await runDigestsAt("2026-03-02T04:00:00Z");
  await chooses("every morning");
  await buys("2026-03-02T09:00:00Z");
  await db.delete(staffRoles).where(eq(staffRoles.userId, gita!.id));
  await runDigestsAt("2026-03-03T04:00:00Z");
  expect(await mails()).toEqual([]);
});

test("two processes write one email", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  vi.setSystemTime("2026-03-02T04:00:00Z");
  await Promise.all([queueOrderDigests(db, config), queueOrderDigests(db, config)]);
  expect(await mails()).toHaveLength(1);
});

function chooses(choice: string): Promise<void> {
  const rest = {
    "review-assigned": "at once",
    "review-ready": "at once",
    "saved-job-closes": "never",
    "review-late": "never",
    "job-reported": "never",
  };
  return saveMailChoices(db, gita!, { ...rest, "new-order": choice });
}

async function buys(at: string): Promise<void> {
  vi.setSystemTime(at);
  await review(db, asha!, { orderId: await order(db, asha!) });
}

async function runDigestsAt(at: string): Promise<void> {
  vi.setSystemTime(at);
  await queueOrderDigests(db, config);
}

async function mails(): Promise<string[]> {
  return (await mailsTo(db, gita!.email)).map(({ subject }) => subject);
}
