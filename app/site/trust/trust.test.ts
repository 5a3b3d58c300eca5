import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { visitorPages } from "../../../tests/support/inventory/page-scripts.ts";
import { runningApp } from "../../../tests/support/product/running.ts";
import { ticket } from "../../../tests/support/rows/admin-things.ts";
import { insertJob } from "../../../tests/support/rows/jobs.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { order } from "../../../tests/support/rows/refunds.ts";
import { jobReport } from "../../../tests/support/rows/reports.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { jobs } from "../../jobs/tables.server.ts";
import { refunds } from "../../payments/refunds/tables.server.ts";
import { day, hour, now } from "../../platform/clock.ts";
import { darkPatterns } from "./dark-patterns.ts";
import { describeFigures } from "./describe-figures.server.ts";
import { getTrustFigures } from "./trust-figures.server.ts";

let asha!: Actor;
let meera!: Actor;
let gita!: Actor;
const { db, origin } = await runningApp(async (database) => {
  ({ asha, meera, gita } = await people(database));
});

const tooFew = "Not enough yet";
const ago = (time: number) => new Date(now().getTime() - time);

test("the figures come from the rows of 90 days", async () => {
  await completedReview(db, asha, meera, { dueAt: new Date(now().getTime() + day) });
  await completedReview(db, asha, meera, { dueAt: ago(day) });
  for (const hours of [10, 30, 20, 24 * 100]) {
    const orderId = await order(db, asha);
    const endedAt = hours > day / hour ? ago(hours * hour) : now();
    await db.insert(refunds).values({
      orderId,
      token: orderId.slice(0, 23),
      paymentId: "403",
      amountPaise: 19_900,
      grounds: "overdue",
      state: "settled",
      createdAt: new Date(endedAt.getTime() - hours * hour),
      endedAt,
    });
  }
  const complaint = (settledAt: Date | null, kind: "complaint" | "question" = "complaint") =>
    ticket(db, gita, {
      kind,
      createdAt: ago(50 * day),
      acknowledgedAt: ago(49 * day),
      dueAt: ago(20 * day),
      settledAt,
      state: settledAt ? "closed" : "open",
    });
  await complaint(ago(30 * day));
  await complaint(ago(10 * day));
  await complaint(null);
  await complaint(ago(30 * day), "question");
  const checked = { checkedAt: ago(day), checkDueAt: new Date(now().getTime() + day) };
  await insertJob(db, checked);
  await insertJob(db, { ...checked, checkDueAt: ago(hour) });
  const reported = await insertJob(db, { isArchived: true, archivedReason: "reported" });
  const dismissed = await insertJob(db, {});
  for (const [job, state] of [
    [reported, "archived"],
    [dismissed, "dismissed"],
  ] as const)
    await jobReport(db, job.id, {
      state,
      email: "reader@example.com",
      decisionId: crypto.randomUUID(),
      decisionReason: "Checked.",
      decidedAt: ago(day),
    });
  const open = await db.$count(jobs, eq(jobs.isArchived, false));
  expect(await getTrustFigures(db)).toEqual({
    reviews: { inTime: 1, total: 2 },
    questions: { inTime: 0, total: 0 },
    refunds: { settled: 3, medianHours: 20 },
    complaints: { inTime: 1, total: 3 },
    reports: { decided: 2, removed: 1 },
    listings: { inTime: 1, total: open },
  });
});

test("a figure of fewer than 20 cases says that there are not enough yet", () => {
  const of = (cases: number) =>
    describeFigures({
      reviews: { inTime: cases - 1, total: cases },
      questions: { inTime: 0, total: cases },
      refunds: { settled: cases, medianHours: 30.2 },
      complaints: { inTime: cases, total: cases },
      reports: { decided: cases, removed: 7 },
      listings: { inTime: 5, total: cases },
    }).map(({ value }) => value ?? tooFew);
  expect(new Set(of(19))).toEqual(new Set([tooFew]));
  expect(of(20)).toEqual([
    "95% (19 of 20)",
    "0% (0 of 20)",
    "Half within 31 hours",
    "100% (20 of 20)",
    "7 listings removed of 20",
    "25% (5 of 20)",
  ]);
});

test("the page names the 13 patterns and its figures", async () => {
  const html = await (await fetch(`${origin}/trust`)).text();
  expect(darkPatterns).toHaveLength(13);
  for (const { name } of darkPatterns) expect(html).toContain(`<dt>${name}</dt>`);
  expect(html).toContain(tooFew);
});

test.each(visitorPages)("what the check against dark patterns says holds for %s", async (path) => {
  const response = await fetch(origin + path);
  const html = await response.text();
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self'/);
  expect(policy).not.toMatch(/script-src[^;]*https:/);
  expect(html).not.toMatch(/<(?:script|img|iframe)[^>]* src="https?:/);
  // A switch shows something on the page, and agrees to nothing.
  for (const [box] of html.matchAll(/<input[^>]*type="checkbox"(?! role="switch")[^>]*>/g))
    expect(box).not.toMatch(/ checked(?:=|>| )/);
  const text = html.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, "").replaceAll(/<[^>]*>/g, " ");
  if (path !== "/trust")
    expect(text).not.toMatch(/\bhurry\b|only today|ends today|only \d+ left|last chance|act now/i);
});
