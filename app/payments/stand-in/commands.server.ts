import type { PayuSettings } from "../../platform/config.server.ts";
import {
  endings,
  type Attempt,
  type Fields,
  type Ledger,
  type VerifyMode,
} from "./ledger.server.ts";
import { bankReference, indianTime, rupees, signCommand, totalOf } from "./messages.server.ts";

type Answer = Record<string, unknown>;

/** The merchant service's answer to a command, or "unreachable" when it is told to give none. */
export function answerCommand(
  settings: PayuSettings,
  ledger: Ledger,
  fields: Fields,
): Answer | "unreachable" {
  if (fields.key !== settings.key) return failure("Invalid key.");
  if (fields.hash !== signCommand(fields, settings.salt)) return failure("Invalid Hash.");
  if (fields.command !== "verify_payment") return failure("Invalid command.");
  return verifyPayments(ledger, (fields.var1 ?? "").split("|"));
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

function failure(msg: string): Answer {
  return { status: 0, msg };
}
