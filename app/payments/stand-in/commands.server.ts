import type { PayuSettings } from "../../platform/config.server.ts";
import { endings, type Attempt, type Fields, type VerifyMode } from "./attempt.ts";
import type { Ledger } from "./ledger.server.ts";
import { bankReference, indianTime, rupees, totalOf } from "./messages.server.ts";
import { signCommand } from "./signatures.server.ts";

type Answer = Record<string, unknown>;

/** The merchant service's answer to a command, or "unreachable" when it is told to give none. */
export function answerCommand(
  settings: PayuSettings,
  ledger: Ledger,
  fields: Fields,
): Answer | "unreachable" {
  if (fields.key !== settings.key) return failure("Invalid key.");
  if (fields.hash !== signCommand(fields, settings.salt)) return failure("Invalid Hash.");
  const { command, var1 = "", var2 = "", var3 = "" } = fields;
  if (command === "verify_payment") return verifyPayments(ledger, var1.split("|"));
  if (command === "cancel_refund_transaction") return queueRefund(ledger, var1, var2, var3);
  if (command === "check_action_status") return refundStatus(ledger, var1);
  return failure("Invalid command.");
}

function verifyPayments(ledger: Ledger, txnids: string[]): Answer | "unreachable" {
  const modes = txnids.map((txnid) => ledger.verifyMode(txnid));
  if (modes.includes("unreachable")) return "unreachable";

  const attempts = txnids.map((txnid) => ledger.attemptOf(txnid));
  const found = attempts.filter(Boolean).length;
  const missing = { mihpayid: "Not Found", status: "Not Found" };
  const details = attempts.map((attempt, index) => [
    txnids[index],
    attempt ? transactionDetails(attempt, modes[index]!) : missing,
  ]);
  return {
    status: found > 0 ? 1 : 0,
    msg: `${found} out of ${txnids.length} Transactions Fetched Successfully`,
    transaction_details: Object.fromEntries(details),
  };
}

function transactionDetails(truth: Attempt, mode: VerifyMode): Answer {
  const attempt = mode === "disagree" ? { ...truth, unmapped: opposite(truth) } : truth;
  const { request, charges } = attempt;
  const { status, error, message } = endings[attempt.unmapped];
  const asked = Number(request.amount) + (mode === "wrong amount" ? 1 : 0);
  const paid = status === "success";
  return {
    mihpayid: attempt.mihpayid,
    request_id: "",
    bank_ref_num: bankReference(attempt),
    amt: rupees(paid ? asked + Number(charges) : 0),
    transaction_amount: rupees(asked),
    txnid: attempt.txnid,
    additional_charges: rupees(charges),
    productinfo: request.productinfo ?? "",
    firstname: request.firstname ?? "",
    bankcode: "CC",
    udf1: request.udf1 ?? "",
    udf2: request.udf2 ?? "",
    udf3: request.udf3 ?? "",
    udf4: request.udf4 ?? "",
    udf5: request.udf5 ?? "",
    field9: message,
    error_code: error,
    addedon: indianTime(attempt.begunAt),
    payment_source: "payu",
    card_type: "MAST",
    error_Message: message,
    net_amount_debit: paid ? totalOf(attempt) : "0.00",
    disc: "0.00",
    mode: "CC",
    PG_TYPE: "CC-PG",
    card_no: "512345XXXXXX2346",
    status,
    unmappedstatus: attempt.unmapped,
    Merchant_UTR: null,
    Settled_At: "0000-00-00 00:00:00",
  };
}

function opposite(attempt: Attempt): "failed" | "captured" {
  return attempt.unmapped === "captured" ? "failed" : "captured";
}

function queueRefund(ledger: Ledger, mihpayid: string, token: string, amount: string): Answer {
  const attempt = ledger.attempt(mihpayid);
  if (attempt?.unmapped !== "captured") return failure("Transaction not exists.");
  if (!/^[\w-]{1,23}$/.test(token)) return failure("Token is missing or too long.");
  if (!/^\d+(\.\d{1,2})?$/.test(amount) || Number(amount) <= 0) return failure("Invalid amount.");

  const before = ledger.refundsOf(mihpayid).reduce((sum, refund) => sum + paise(refund.amount), 0);
  if (before + paise(amount) > paise(totalOf(attempt))) {
    return failure("Refund amount is more than what is left of the transaction.");
  }
  const refund = ledger.addRefund(mihpayid, token, rupees(amount));
  if (!refund) return failure("Token already used.");
  return {
    status: 1,
    msg: "Refund Request Queued",
    request_id: refund.requestId,
    bank_ref_num: null,
    mihpayid,
    error_code: 102,
  };
}

/** Queued when first asked about, refunded afterwards; nested twice under the id, as PayU does. */
function refundStatus(ledger: Ledger, requestId: string): Answer {
  const refund = ledger.checkRefund(requestId);
  const details = refund && {
    mihpayid: refund.mihpayid,
    bank_ref_num: null,
    request_id: requestId,
    amt: refund.amount,
    mode: "CC",
    action: "refund",
    token: refund.token,
    status: refund.checks === 0 ? "queued" : "success",
  };
  return {
    status: refund ? 1 : 0,
    msg: `${refund ? 1 : 0} out of 1 Transactions Fetched Successfully`,
    transaction_details: {
      [requestId]: details ? { [requestId]: details } : "No action status found",
    },
  };
}

function paise(amount: string | number): number {
  return Math.round(Number(amount) * 100);
}

function failure(msg: string): Answer {
  return { status: 0, msg };
}
