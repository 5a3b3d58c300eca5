import { assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { day, minute, now } from "../platform/clock.ts";
import { resolveOrder } from "./decide.ts";
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

type Said = keyof typeof callbacks;
type Answer = keyof typeof verifications;

/** One line a callback; a column for each answer of the provider. */
const columns: Answer[] = ["paid", "paid less", "failed", "pending", "not found", "unreachable"];
/** The result without a valid callback. */
const byProvider = ["success", "wrong amount", "failed", "undecided", "undecided", "unreachable"];
const table: Record<Said, string[]> = {
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
  for (const [said, expected] of Object.entries(table) as [Said, string[]][]) {
    test.each(columns.map((answer, index) => [answer, expected[index]!] as const))(
      `callback: ${said}; the provider says: %s; then: %s`,
      (answer, outcome) => {
        const decision = resolveOrder(young, callbacks[said], verifications[answer], moment);
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
  ] as const)("callback: %s; the provider says: %s; then: %s", (said, answer, outcome) => {
    const decision = resolveOrder(old, callbacks[said], verifications[answer], moment);
    expect(decision.become ?? decision.reason).toBe(outcome);
  });
});

test("the payment's id comes from who is believed", () => {
  const { paid, unreachable } = verifications;
  expect(resolveOrder(young, genuine, paid, moment)).toMatchObject({
    paymentId: "v",
    reason: "verified",
  });
  expect(resolveOrder(young, genuine, unreachable, moment)).toMatchObject({
    paymentId: "c",
    reason: "signed",
  });
});

test("nothing but the exact amount, confirmed or signed for this very order, ever pays it", () => {
  const amounts = integer({ min: 199_00 - 1, max: 199_00 + 1 });
  const status = constantFrom("success", "failed", "pending");
  const said = record({
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
    property(said, boolean(), answers, (claim, called, answer) => {
      const callback = called ? { ...genuine, ...claim } : null;
      const verification = { ...answer, mihpayid: "v", reason: "" } as Verification;
      const decision = resolveOrder(young, callback, verification, moment);

      const confirmed = answer.outcome === "success" && answer.amountPaise === 199_00;
      const signed =
        answer.outcome === "unreachable" &&
        called &&
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
