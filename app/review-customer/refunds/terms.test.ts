import { expect, test } from "vitest";
import { refundRequestPeriodMs, getRefundTerms } from "./terms.ts";

const completedAt = new Date("2026-03-02T10:00:00Z");
const review = {
  status: "completed",
  dueAt: new Date("2026-03-03T10:00:00Z"),
  isAssigned: true,
  completedAt,
} as const;

test("a delivered review can be refunded until two days have passed, and not at that moment", () => {
  const until = new Date("2026-03-04T10:00:00Z");
  expect(until.getTime() - completedAt.getTime()).toBe(refundRequestPeriodMs);
  const termsAt = (moment: number) =>
    getRefundTerms({ isPaid: true, review, refund: null }, new Date(moment));
  expect(termsAt(until.getTime() - 1)).toEqual({ may: "ask", grounds: "delivered", until });
  expect(termsAt(until.getTime()).may).toBe("no");
});
