import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { orderToResolve, refundToDecide, ticket } from "../../tests/support/rows/admin-things.ts";
import { dueListing } from "../../tests/support/rows/contact-questions.ts";
import { everybody } from "../../tests/support/rows/everybody.ts";
import { jobReport } from "../../tests/support/rows/reports.ts";
import { assignedReview, pendingReview } from "../../tests/support/rows/review-states.ts";
import { jobReports } from "../checks/tables.server.ts";
import { jobs } from "../jobs/tables.server.ts";
import { refunds } from "../payments/refunds/tables.server.ts";
import { orders } from "../payments/tables.server.ts";
import { hour, now } from "../platform/clock.ts";
import { serviceReviews } from "../reviews/tables.server.ts";
import { supportMessages } from "../support/tables.server.ts";
import { listWaitingWork } from "./waiting-work.server.ts";

const { db } = await testDatabase();
const who = everybody(db);

beforeEach(async () => {
  for (const table of [serviceReviews, refunds, orders, supportMessages, jobReports, jobs])
    await db.delete(table);
});

const fromNow = (milliseconds: number) => new Date(now().getTime() + milliseconds);

const list = async () =>
  (await listWaitingWork(db, who.gita)).map(({ count, text, note }) =>
    [count, text, note].filter(Boolean).join(" "),
  );

test("waiting work is listed by kind, the most urgent first", async () => {
  for (const dueAt of [fromNow(-hour), fromNow(hour)]) {
    await assignedReview(db, who.asha, who.meera, { dueAt });
    await pendingReview(db, who.asha, { dueAt });
  }
  await pendingReview(db, who.asha);
  await ticket(db, who.gita);
  await jobReport(db, await dueListing(db), {});
  await orderToResolve(db, who.gita, who);
  expect(await list()).toEqual([
    "1 assigned review is overdue",
    "3 reviews wait for a reviewer 1 overdue",
    "1 message is unread or late",
    "1 listing was reported",
    "1 listing needs a check",
    "1 payment to resolve",
  ]);
});

test("a message waits until it is read, and again when it is late", async () => {
  const acknowledgedAt = now();
  await ticket(db, who.gita, { acknowledgedAt });
  await ticket(db, who.gita, { isSuspected: true });
  await ticket(db, who.gita, { state: "closed" });
  expect(await list()).toEqual([]);
  await ticket(db, who.gita, { acknowledgedAt, dueAt: fromNow(-hour) });
  await ticket(db, who.gita);
  expect(await list()).toEqual(["2 messages are unread or late"]);
});

test("a refund request counts once, not also as a payment to resolve", async () => {
  await refundToDecide(db, who.gita, who);
  expect(await list()).toEqual(["1 refund request to decide"]);
});
