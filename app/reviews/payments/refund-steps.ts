/** How far the money of a payment has come back, as its customer reads it. */
import { refundTakes } from "../../payments/refunds/rules.ts";
import { shortDateTime } from "../../platform/clock.ts";
import type { OwnRefund } from "../refunds/ask-for-refund.server.ts";

/** A station on the way of the money. */
export type RefundStep = {
  said: string;
  /** What somebody wrote about it. */
  words: string | null;
  state: "done" | "now" | "ahead";
};

/** The stations of a refund, from whoever began it to the money; moments in words. */
export function refundSteps(refund: OwnRefund): RefundStep[] {
  const { state, grounds, askedAt, decidedAt, endedAt } = refund;
  const begun = step(beginnings[grounds], askedAt, "done");
  if (grounds !== "delivered") return [begun, ...wayOfMoney(state === "settled", endedAt)];
  const asked = { ...begun, words: refund.reason };
  if (state === "asked")
    return [asked, step("We decide by", refund.decidedBy, "now"), ...wayOfMoney(null, null)];
  const decided = step(state === "declined" ? "Declined on" : "Approved on", decidedAt, "done");
  const answered = { ...decided, words: refund.answer };
  if (state === "declined") return [asked, answered];
  return [asked, answered, ...wayOfMoney(state === "settled", endedAt)];
}

const beginnings: Record<OwnRefund["grounds"], string> = {
  "not begun": "You took the money back on",
  overdue: "You took the money back on",
  delivered: "You asked for the money back on",
  decided: "We gave the money back on",
};

/** @param isThere null before anybody has decided that it goes back */
function wayOfMoney(isThere: boolean | null, endedAt: Date | null): RefundStep[] {
  const way = `Under way to you, which takes ${refundTakes}`;
  if (isThere)
    return [
      { said: "Under way to you", words: null, state: "done" },
      step("Refunded on", endedAt, "done"),
    ];
  return [
    { said: way, words: null, state: isThere === null ? "ahead" : "now" },
    { said: "Refunded", words: null, state: "ahead" },
  ];
}

function step(said: string, moment: Date | null, state: RefundStep["state"]): RefundStep {
  return { said: moment ? `${said} ${shortDateTime(moment)}` : said, words: null, state };
}
