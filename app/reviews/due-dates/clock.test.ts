import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { mailsTo } from "../../../tests/support/rows/mailbox.ts";
import {
  assignedReview,
  completedReview,
  eventsOn,
  pendingReview,
  reviewRow,
} from "../../../tests/support/rows/review-states.ts";
import { day, formatDayOfWeek, hour, now } from "../../platform/clock.ts";
import { Conflict, Invalid } from "../../platform/errors.ts";
import {
  assignReviews,
  reassignReviews,
  unassignReviews,
} from "../../review-staff/assign/assign-reviews.server.ts";
import {
  countDueAssigned,
  listMostOverdue,
  listAssignedReviews,
  listPendingReviews,
} from "../../review-staff/assign/lists.server.ts";
import { messages } from "../staff-rules.ts";
import { serviceReviews } from "../tables.server.ts";
import { readAssignmentsQuery } from "../../review-staff/workspace/dashboard-query.ts";
import { listOwnAssignments } from "../../review-staff/workspace/find.server.ts";
import { describePaidReview } from "./due-dates.server.ts";
import { extensionMessages } from "./due-dates.ts";
import { extendDueDate } from "../../review-staff/assign/extend-due-date.server.ts";
import { order } from "../../../tests/support/rows/refunds.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";

const config = testConfig();
const { db } = await testDatabase();
const who = everybody(db);

beforeEach(() => db.delete(serviceReviews));
const fromNow = (milliseconds: number) => new Date(now().getTime() + milliseconds);

/** Creates reviews due in these numbers of hours, and one without a date. */
async function due(make: (dueAt: Date | null) => Promise<string>) {
  const [later, none, overdue, sooner] = [
    await make(fromNow(20 * hour)),
    await make(null),
    await make(fromNow(-2 * hour)),
    await make(fromNow(5 * hour)),
  ];
  return [overdue, sooner, later, none];
}

const byDue = { sort: { by: "due", direction: "asc" } } as const;

test("each list of open reviews can be sorted by due date, with dateless reviews last", async () => {
  const pending = await due((dueAt) => pendingReview(db, who.asha, { dueAt }));
  const waiting = await listPendingReviews(db, who.gita, byDue);
  expect(waiting.rows.map(({ id }) => id)).toEqual(pending);
  expect(waiting.rows.map((row) => row.due?.left ?? null)).toEqual([
    "overdue by 2 hours",
    "5 hours left",
    "20 hours left",
    null,
  ]);
  const assigned = await due((dueAt) => assignedReview(db, who.asha, who.meera, { dueAt }));
  const { rows } = await listAssignedReviews(db, who.gita, byDue);
  expect(rows.map(({ id }) => id)).toEqual(assigned);
  expect(rows.map((row) => row.due?.isOverdue ?? null)).toEqual([true, false, false, null]);
  expect(await own("sort=due")).toEqual(assigned);
  expect(await own("")).toEqual([assigned[1], assigned[0], assigned[3], assigned[2]]);
});

test("a list counts what is overdue and what is due later today, with its own filters", async () => {
  // Noon in India.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T06:30:00Z") });
  const meeras = (dueAt: Date | null) => assignedReview(db, who.asha, who.meera, { dueAt });
  await due(meeras);
  await assignedReview(db, who.asha, who.kabir, { dueAt: fromNow(-hour) });
  await pendingReview(db, who.asha, { dueAt: fromNow(-hour) });
  await completedReview(db, who.asha, who.meera, { dueAt: fromNow(-hour) });
  const counts = (overdue: number, today: number) => ({
    overdue: { counted: overdue, isMore: false },
    today: { counted: today, isMore: false },
  });
  expect(await countDueAssigned(db, who.gita, {})).toEqual(counts(2, 1));
  expect(await countDueAssigned(db, who.gita, { reviewer: who.meera.id })).toEqual(counts(1, 1));
  expect(await countDueAssigned(db, who.gita, { type: "portfolio_review" })).toEqual(counts(0, 0));
});

test("the three longest overdue are listed, the longest first", async () => {
  for (const hoursLate of [1, 4, 2, 3, -1])
    await assignedReview(db, who.asha, who.meera, { dueAt: fromNow(-hoursLate * hour) });
  await assignedReview(db, who.asha, who.meera, { dueAt: null });
  await pendingReview(db, who.asha, { dueAt: fromNow(-9 * hour) });
  expect(await listMostOverdue(db, who.gita)).toMatchObject(
    [4, 3, 2].map((hours) => ({
      userName: "Asha Verma",
      assignedTo: "Meera Iyer",
      due: { left: `overdue by ${hours} hours` },
    })),
  );
});

test("only overdue reviews are listed as overdue", async () => {
  await assignedReview(db, who.asha, who.meera, { dueAt: fromNow(hour) });
  expect(await listMostOverdue(db, who.gita)).toEqual([]);
});

test("pagination by due date continues through dateless reviews", async () => {
  const ids: string[] = [];
  for (const dueAt of [fromNow(hour), null, null])
    ids.push(await assignedReview(db, who.asha, who.meera, { dueAt }));
  const reached: string[] = [];
  let after: string | null = null;
  do {
    const query = `sort=due&show=1${after ? `&after=${after}` : ""}`;
    const page = await list(query);
    reached.push(...page.assignments.map(({ reviewId }) => reviewId));
    after = page.next;
  } while (after);
  expect(reached[0]).toBe(ids[0]);
  expect(reached.toSorted()).toEqual(ids.toSorted());
});

test("assigning, reassigning and unassigning keep the due date", async () => {
  const dueAt = fromNow(30 * hour);
  const id = await pendingReview(db, who.asha, { dueAt });
  const chosen = { reviewIds: [id], reviewerId: who.meera.id };
  await assignReviews(db, who.gita, chosen, config);
  expect((await reviewRow(db, id)).assignment?.shownDueAt).toEqual(dueAt);
  await reassignReviews(db, who.gita, { ...chosen, reviewerId: who.kabir.id }, config);
  expect((await reviewRow(db, id)).assignment?.shownDueAt).toEqual(dueAt);
  await unassignReviews(db, who.gita, { reviewIds: [id] }, config);
  expect((await reviewRow(db, id)).review.dueAt).toEqual(dueAt);
});

test("a later date is shown everywhere, the first stays, and the customer gets the reason", async () => {
  const dueAt = fromNow(3 * hour);
  const id = await assignedReview(db, who.asha, who.meera, { dueAt });
  const until = fromNow(30 * hour);
  const reason = "Your reviewer fell ill <b>today</b>.";
  await extend(id, { until, reason, seen: dueAt });
  const { review, assignment } = await reviewRow(db, id);
  expect(review).toMatchObject({ dueAt, extendedTo: until });
  expect(assignment?.shownDueAt).toEqual(until);
  const [listed] = (await listAssignedReviews(db, who.gita, {})).rows;
  expect(listed?.due).toMatchObject({ left: "30 hours left", at: until.toISOString() });
  expect(listed?.due?.first).toMatch(/^first due /);
  const mails = await mailsTo(db, who.asha.email);
  expect(mails).toMatchObject([{ cause: `review-extended:${id}:${until.toISOString()}` }]);
  expect(mails[0]!.text).toContain(reason);
  expect(mails[0]!.html).not.toContain("<b>today</b>");
  expect(mails[0]!.text).toContain(`→ With a reviewer → Ready by ${formatDayOfWeek(until)}`);
  expect(await eventsOn(db, id)).toEqual(["review.extend"]);
});

test("an extension must be later, in the future and within 14 days, and needs a reason", async () => {
  const seen = fromNow(-2 * hour);
  const id = await pendingReview(db, who.asha, { dueAt: seen });
  const wrong: [Parameters<typeof extend>[1], Record<string, string>][] = [
    [{ seen, until: fromNow(-hour) }, { until: extensionMessages.notLater }],
    [{ seen, until: fromNow(-3 * hour) }, { until: extensionMessages.notLater }],
    [{ seen, until: fromNow(14 * day + hour) }, { until: extensionMessages.tooLate }],
    [{ seen, until: null }, { until: extensionMessages.noMoment }],
    [{ seen, reason: " \n " }, { reason: extensionMessages.noReason }],
    [{ seen, reason: "x".repeat(501) }, { reason: extensionMessages.reasonTooLong }],
  ];
  for (const [asked, fields] of wrong) {
    const refusal: unknown = await extend(id, asked).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Invalid);
    expect(refusal).toMatchObject({ fields });
  }
  await extend(id, { seen, until: fromNow(13 * day) });
  expect(await mailsTo(db, who.asha.email)).toHaveLength(1);
});

test("of two concurrent extensions the second gets a conflict", async () => {
  const seen = fromNow(hour);
  const id = await pendingReview(db, who.asha, { dueAt: seen });
  const tries = [fromNow(5 * hour), fromNow(6 * hour)].map((until) => extend(id, { seen, until }));
  const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === "rejected");
  expect(refused).toMatchObject([{ reason: new Conflict(messages.changedMeanwhile) }]);
  expect(await eventsOn(db, id)).toEqual(["review.extend"]);
});

test("a dateless, completed or refunded review cannot be extended", async () => {
  const seen = fromNow(hour);
  const withdrawn = await pendingReview(db, who.asha, { dueAt: seen });
  await db
    .update(serviceReviews)
    .set({ withdrawnAt: now() })
    .where(eq(serviceReviews.id, withdrawn));
  for (const id of [
    withdrawn,
    await pendingReview(db, who.asha),
    await completedReview(db, who.asha, who.meera, { dueAt: seen }),
  ])
    await expect(extend(id, { seen })).rejects.toThrow(new Conflict(extensionMessages.none));
});

test("a buyer sees the due date after payment, until the review is completed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T16:10:00Z") });
  const orderId = await order(db, who.asha);
  expect(await describePaidReview(db, orderId)).toEqual([]);
  const id = await pendingReview(db, who.asha, { dueAt: fromNow(48 * hour) });
  await db.update(serviceReviews).set({ orderId }).where(eq(serviceReviews.id, id));
  expect(await describePaidReview(db, orderId)).toEqual([
    {
      name: "Your review",
      words: "due Sun, Nov 22, 9:40 PM, 48 hours left",
      way: expect.objectContaining({ isLate: false }),
    },
  ]);
  await db.update(serviceReviews).set({ status: "completed" }).where(eq(serviceReviews.id, id));
  expect(await describePaidReview(db, orderId)).toEqual([]);
});

const list = (query: string) =>
  listOwnAssignments(db, who.meera, readAssignmentsQuery(new URLSearchParams(query)));
const own = async (query: string) =>
  (await list(query)).assignments.map(({ reviewId }) => reviewId);

function extend(
  reviewId: string,
  asked: { seen: Date; until?: Date | null; reason?: string },
): Promise<void> {
  const { seen, until = fromNow(day), reason = "The reviewer fell ill." } = asked;
  const extension = { reviewId, until, reason, seen: seen.toISOString() };
  return extendDueDate(db, who.gita, extension, config);
}
