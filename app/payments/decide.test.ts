import { assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { day, minute, now } from "../platform/clock.ts";
import { getDecision } from "./decide.ts";
import type { Callback, Verification } from "./payu.server.ts";

const moment = now();
const young = { orderId: "TXN_1", amountPaise: 199_00, createdAt: ago(10 * minute) };
const old = { ...young, createdAt: ago(day + minute) };

const verifications = {
  paid: { outcome: "success", amountPaise: 199_00, mihpayid: "v" },
  "paid less": { outcome: "success", amountPaise: 1_00, mihpayid: "v" },
  failed: { outcome: "failed", amountPaise: null, mihpayid: "v" },
  pending: { outcome: "pending", amountPaise: 199_00, mihpayid: "v" },
  "not found": { outcome: "not found" },
  unreachable: { outcome: "unreachable", reason: "answered 503" },
} satisfies Record<string, Verification>;

const genuine: Callback = {
  txnId: "TXN_1",
  amountPaise: 199_00,
  keyMatches: true,
  status: "success",
  mihpayid: "c",
  unmappedStatus: "",
  mode: "",
  errorMessage: "",
};
const callbacks = {
  none: null,
  paid: genuine,
  "paid less": { ...genuine, amountPaise: 1_00 },
  "paid something unreadable": { ...genuine, amountPaise: null },
  "paid another merchant": { ...genuine, keyMatches: false },
  "paid another order": { ...genuine, txnId: "TXN_2" },
  failed: { ...genuine, status: "failed" },
  "failed of another amount": { ...genuine, status: "failed", amountPaise: 1_00 },
  pending: { ...genuine, status: "pending" },
} satisfies Record<string, Callback | null>;

type Claim = keyof typeof callbacks;
type Answer = keyof typeof verifications;

/** A row for each callback, with a column for each answer of the provider. */
const columns: Answer[] = ["paid", "paid less", "failed", "pending", "not found", "unreachable"];
/** The results without a valid callback. */
const byProvider = ["success", "wrong amount", "failed", "undecided", "undecided", "unreachable"];
const table: Record<Claim, string[]> = {
  none: byProvider,
  paid: ["success", "wrong amount", "disagreement", "disagreement", "disagreement", "success"],
  "paid less": ["success", ...Array.from({ length: 5 }, () => "wrong amount")],
  "paid something unreadable": ["success", ...Array.from({ length: 5 }, () => "wrong amount")],
  "paid another merchant": byProvider,
  "paid another order": byProvider,
  failed: ["success", "wrong amount", "failed", "undecided", "failed", "failed"],
  "failed of another amount": byProvider,
  pending: byProvider,
};

describe("within a day", () => {
  for (const [claim, results] of Object.entries(table) as [Claim, string[]][]) {
    test.each(columns.map((answer, index) => [answer, results[index]!] as const))(
      `callback: ${claim}; provider: %s; result: %s`,
      (answer, outcome) => {
        const decision = getDecision(young, callbacks[claim], verifications[answer], moment);
        expect(decision.become ?? decision.reason).toBe(outcome);
      },
    );
  }
});

describe("after a day", () => {
  test.each([
    ["none", "not found", "failed"],
    ["pending", "not found", "failed"],
    ["paid", "not found", "disagreement"],
    ["none", "pending", "undecided"],
    ["none", "unreachable", "unreachable"],
  ] as const)("callback: %s; provider: %s; result: %s", (claim, answer, outcome) => {
    const decision = getDecision(old, callbacks[claim], verifications[answer], moment);
    expect(decision.become ?? decision.reason).toBe(outcome);
  });
});

test("the payment id comes from the source that decided", () => {
  const { paid, unreachable } = verifications;
  expect(getDecision(young, genuine, paid, moment)).toMatchObject({
    paymentId: "v",
    reason: "verified",
  });
  expect(getDecision(young, genuine, unreachable, moment)).toMatchObject({
    paymentId: "c",
    reason: "signed",
  });
});

test("only the exact amount, confirmed or signed for this order, marks it as paid", () => {
  const amounts = integer({ min: 199_00 - 1, max: 199_00 + 1 });
  const status = constantFrom("success", "failed", "pending");
  const claims = record({
    amountPaise: amounts,
    status,
    keyMatches: boolean(),
    txnId: constantFrom("TXN_1", "TXN_2"),
  });
  const answers = record({
    outcome: constantFrom("success", "failed", "pending", "not found", "unreachable"),
    amountPaise: amounts,
  });
  assert(
    property(claims, boolean(), answers, (claim, hasCallback, answer) => {
      const callback = hasCallback ? { ...genuine, ...claim } : null;
      const verification = { ...answer, mihpayid: "v", reason: "" } as Verification;
      const decision = getDecision(young, callback, verification, moment);

      const confirmed = answer.outcome === "success" && answer.amountPaise === 199_00;
      const signed =
        answer.outcome === "unreachable" &&
        hasCallback &&
        claim.status === "success" &&
        claim.amountPaise === 199_00 &&
        claim.keyMatches &&
        claim.txnId === "TXN_1";
      expect(decision.become === "success").toBe(confirmed || signed);
    }),
  );
});

function ago(milliseconds: number): Date {
  return new Date(moment.getTime() - milliseconds);
}
