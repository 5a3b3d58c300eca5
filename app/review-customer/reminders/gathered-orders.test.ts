import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { review } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { saveMailChoices } from "../../accounts/mail-choices/mail-choices.server.ts";
import { staffRoles } from "../../accounts/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { queueOrderDigests } from "./reminders.server.ts";

const config = testConfig();
const { db } = await testDatabase();
let [gita, asha]: Actor[] = [];
let number = 0;

beforeEach(async () => {
  // The first of March 2026, ten in the morning in India.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T04:30:00Z") });
  await db.delete(serviceReviews);
  gita = await person(db, "Gita Menon", { roles: ["god_admin"] });
  asha = await person(db, "Asha Verma");
});

test("what was bought since yesterday's mail comes at nine, in one mail", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  await buys("2026-03-02T03:00:00Z");
  await gathersAt("2026-03-02T03:29:00Z");
  expect(await mails()).toEqual([]);
  await gathersAt("2026-03-02T03:30:00Z");
  await gathersAt("2026-03-02T03:31:00Z");
  expect(await mails()).toEqual(["2 new review orders"]);
});

test("a morning without orders has no mail, and a late one has those of all days since", async () => {
  await chooses("every morning");
  await gathersAt("2026-03-02T04:00:00Z");
  expect(await mails()).toEqual([]);
  await buys("2026-03-02T10:00:00Z");
  await buys("2026-03-03T10:00:00Z");
  // No task ran for two days.
  await gathersAt("2026-03-04T12:00:00Z");
  expect(await mails()).toEqual(["2 new review orders"]);
});

test("who chooses otherwise hears a last time of what was gathered until then", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  vi.setSystemTime("2026-03-01T10:00:00Z");
  await chooses("at once");
  await buys("2026-03-01T11:00:00Z");
  await gathersAt("2026-03-02T04:00:00Z");
  await gathersAt("2026-03-03T04:00:00Z");
  expect(await mails()).toEqual(["New review order"]);
});

test("who wants nothing any more, or is no admin any more, hears nothing", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  await chooses("never");
  await gathersAt("2026-03-02T04:00:00Z");
  await chooses("every morning");
  await buys("2026-03-02T09:00:00Z");
  await db.delete(staffRoles).where(eq(staffRoles.userId, gita!.id));
  await gathersAt("2026-03-03T04:00:00Z");
  expect(await mails()).toEqual([]);
});

test("two processes write one mail", async () => {
  await chooses("every morning");
  await buys("2026-03-01T09:00:00Z");
  vi.setSystemTime("2026-03-02T04:00:00Z");
  await Promise.all([queueOrderDigests(db, config), queueOrderDigests(db, config)]);
  expect(await mails()).toHaveLength(1);
});

function chooses(choice: string): Promise<void> {
  const rest = { "review-assigned": "at once", "review-ready": "at once", "review-late": "never" };
  return saveMailChoices(db, gita!, { ...rest, "new-order": choice });
}

async function buys(at: string): Promise<void> {
  vi.setSystemTime(at);
  const orderId = `TXN_GATHER_${(number += 1)}`;
  await db.insert(orders).values({
    orderId,
    buyerId: asha!.id,
    amount: "199.00",
    status: "success",
    purpose: { kind: "review" },
    createdAt: now(),
    checkoutFields: {},
  });
  await review(db, asha!, { orderId });
}

async function gathersAt(at: string): Promise<void> {
  vi.setSystemTime(at);
  await queueOrderDigests(db, config);
}

async function mails(): Promise<string[]> {
  return (await mailsTo(db, gita!.email)).map(({ subject }) => subject);
}
