import { expect, test } from "vitest";
import type { OwnRefund } from "../refunds/refunds.server.ts";
import { listRefundSteps } from "./rules.ts";

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 6, 30));

const refund: OwnRefund = {
  state: "approved",
  grounds: "not begun",
  amountPaise: 299_00,
  askedAt: at(20),
  decidedBy: at(22),
  decidedAt: at(20),
  endedAt: null,
  reason: null,
  answer: null,
};
const requestedRefund = { ...refund, grounds: "delivered", reason: "Another resume." } as const;

const toTuples = (steps: ReturnType<typeof listRefundSteps>) =>
  steps.map(({ label, note, state }) => [label, note, state]);

test("a refund is on its way immediately, and settled when the provider reports it", () => {
  const requested = "You requested a refund on Nov 20, 2026, 12:00 PM";
  for (const state of ["approved", "sent", "failed"] as const)
    expect(toTuples(listRefundSteps({ ...refund, state })), state).toEqual([
      [requested, null, "done"],
      ["On its way to you, takes 3 to 5 days", null, "now"],
      ["Refunded", null, "ahead"],
    ]);
  expect(toTuples(listRefundSteps({ ...refund, state: "settled", endedAt: at(24) }))).toEqual([
    [requested, null, "done"],
    ["On its way to you", null, "done"],
    ["Refunded on Nov 24, 2026, 12:00 PM", null, "done"],
  ]);
});

test("a requested refund has the deadline for its decision", () => {
  expect(
    toTuples(listRefundSteps({ ...requestedRefund, state: "asked", decidedAt: null })),
  ).toEqual([
    ["You requested a refund on Nov 20, 2026, 12:00 PM", "Another resume.", "done"],
    ["We'll decide by Nov 22, 2026, 12:00 PM", null, "now"],
    ["On its way to you, takes 3 to 5 days", null, "ahead"],
    ["Refunded", null, "ahead"],
  ]);
});

test("a declined refund ends with the answer", () => {
  const declined = {
    ...requestedRefund,
    state: "declined",
    decidedAt: at(21),
    answer: "It says all.",
  };
  expect(toTuples(listRefundSteps(declined as OwnRefund)).slice(1)).toEqual([
    ["Declined on Nov 21, 2026, 12:00 PM", "It says all.", "done"],
  ]);
});
