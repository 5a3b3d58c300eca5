import type { Attempt, Fields, Ledger, Refund } from "./ledger.server.ts";
import { getBankReference, formatPayuAmount } from "./messages.server.ts";

/** The merchant service's answer, as JSON. */
export type Answer = Record<string, unknown>;

/** Builds the merchant service's refusal of a command. */
export function createCommandFailure(msg: string, errorCode?: number): Answer {
  return { status: 0, msg, ...(errorCode && { error_code: errorCode }) };
}

/**
 * Accepts a refund: each token once, and never more than was captured. The transaction's refund mode sets its
 * result, and whether the caller gets an answer.
 *
 * @param pause the time until it ends, in milliseconds
 */
export function acceptRefund(
  ledger: Ledger,
  fields: Fields,
  pause: number,
): Answer | "unreachable" {
  const { var1: mihpayid = "", var2: token = "", var3: amount = "" } = fields;
  const attempt = findCapturedPayment(ledger, mihpayid);
  if (!attempt) return createCommandFailure("Transaction not exists", 116);
  const mode = ledger.refundMode(attempt.txnid);
  if (mode === "lost call") return "unreachable";
  const refusal = findRefundProblem(ledger, attempt, { token, amount });
  if (refusal) return { ...refusal, mihpayid };
  if (mode === "refused")
    return { ...createCommandFailure("Refund FAILURE - Invalid amount", 105), mihpayid };

  const endsAs = mode === "failure" ? "failure" : "success";
  const added = ledger.addRefund({ token, mihpayid, amount }, endsAs, pause);
  if (!added) return createCommandFailure("Token already exists.", 106);
  if (mode === "lost answer") return "unreachable";
  return {
    status: 1,
    msg: "Refund Request Queued",
    request_id: added.requestId,
    bank_ref_num: null,
    mihpayid,
    error_code: 102,
  };
}

/** Finds a payment that started here, or one from the demo data, which counts as captured. */
function findCapturedPayment(ledger: Ledger, mihpayid: string): Attempt | null {
  const paise = parseDemoPaymentPaise(mihpayid);
  if (paise === null) return ledger.attempt(mihpayid);
  const request = { amount: formatPayuAmount(paise / 100) };
  const captured = { unmapped: "captured", charges: "" } as const;
  return { mihpayid, txnid: mihpayid, request, ...captured, startedAt: new Date(0) };
}

type RefundRequest = Pick<Refund, "token" | "amount">;

function findRefundProblem(ledger: Ledger, attempt: Attempt, { token, amount }: RefundRequest) {
  if (token.length < 1 || token.length > 23) return createCommandFailure("Input Data missing", 124);
  const refunds = ledger.refundsOf(attempt.mihpayid);
  if (refunds.some((earlier) => earlier.token === token)) {
    return createCommandFailure("Token already exists.", 106);
  }
  if (attempt.unmapped !== "captured")
    return createCommandFailure("Invalid transaction status", 111);
  const notFailed = refunds.filter(({ status }) => status !== "failure");
  const refunded = notFailed.reduce((sum, earlier) => sum + Number(earlier.amount), 0);
  const isTooMuch = refunded + Number(amount) > getCapturedPaise(ledger, attempt);
  if (!/^\d{1,8}\.\d{2}$/.test(amount) || Number(amount) === 0 || isTooMuch) {
    return createCommandFailure("Refund FAILURE - Invalid amount", 105);
  }
  return null;
}

function getCapturedPaise(ledger: Ledger, { txnid, request }: Attempt): number {
  return Number(request.amount) + (ledger.verifyMode(txnid) === "wrong amount" ? 1 : 0);
}

/** Lists the actions on a payment, or the one of a request. */
export function listPaymentActions(ledger: Ledger, fields: Fields): Answer | "unreachable" {
  const { var1: id = "", var2 } = fields;
  if (id === "") return createCommandFailure("Parameter missing");
  const refunds = ledger.refundsOf(id);
  const attempt = findCapturedPayment(ledger, refunds[0]?.mihpayid ?? id);
  const isKnown = var2 === "payuid" ? attempt?.mihpayid === id : refunds.length > 0;
  if (!attempt || !isKnown) {
    return {
      status: 0,
      msg: "0 out of 1 Transactions Fetched Successfully",
      transaction_details: { [id]: "No action status found" },
    };
  }
  if (ledger.verifyMode(attempt.txnid) === "unreachable") return "unreachable";
  const capture = {
    ...buildRefundDetail(attempt, `1${attempt.mihpayid.slice(-8)}`),
    action: "capture",
  };
  const actions = refunds.map(({ requestId, amount, token, status }) => ({
    ...buildRefundDetail(attempt, requestId),
    amt: formatPayuAmount(amount),
    action: "refund",
    token,
    status,
    refund_mode: "Back to Source",
  }));
  const all = var2 === "payuid" ? [capture, ...actions] : actions;
  return {
    status: 1,
    msg: "1 out of 1 Transactions Fetched Successfully",
    transaction_details: {
      [id]: Object.fromEntries(all.map((action) => [action.request_id, action])),
    },
  };
}

function buildRefundDetail(attempt: Attempt, requestId: string) {
  return {
    mihpayid: attempt.mihpayid,
    bank_ref_num: getBankReference(attempt),
    request_id: requestId,
    amt: formatPayuAmount(attempt.request.amount!),
    mode: "CC",
    action: "",
    token: "",
    status: "SUCCESS" as string,
    bank_arn: null,
    settlement_id: null,
    amount_settled: null,
    UTR_no: null,
    value_date: null,
    refund_mode: "-",
  };
}

/** Returns PayU's id for a payment in the demo data, which is older than the stand-in's records. */
export function getDemoPaymentId(paise: number, number: number): string {
  return `demo-${paise}-${number}`;
}

/** Parses the captured amount from the id of a demo payment; null for any other id. */
function parseDemoPaymentPaise(paymentId: string): number | null {
  const match = /^demo-(\d{1,9})-\d+$/.exec(paymentId);
  return match ? Number(match[1]) : null;
}
