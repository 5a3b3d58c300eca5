import type { PayuSettings } from "../../platform/config.server.ts";
import { formatDecimalRupees } from "../money.ts";
import {
  formatCommandError,
  parseKeepingDigits,
  readAmount,
  sendCommand,
  toRecord,
} from "../payu.server.ts";
import type { RefundAnswer, RefundCall, RefundStatus } from "../payments.server.ts";

/**
 * PayU's two refund commands (https://docs.payu.in, "Refund Transaction API" and "Check Refund Status API").
 */

type Options = { fetch?: typeof globalThis.fetch; timeout?: number };

/**
 * Asks PayU for a refund. "queued" is not yet refunded. Never call it inside a transaction.
 *
 * Every answer that doesn't clearly accept or refuse the refund is "unknown", including that the token was used
 * before. Ask {@link refundStatus} for the result in that case.
 */
export async function refund(
  settings: PayuSettings,
  { paymentId, token, amountPaise }: RefundCall,
  options?: Options,
): Promise<RefundAnswer> {
  const amount = formatDecimalRupees(amountPaise);
  const call = { command: "cancel_refund_transaction", var1: paymentId, var2: token, var3: amount };
  try {
    return readAnswer(await sendCommand(settings, call, options));
  } catch (error) {
    return createUnknownAnswer(formatCommandError(error));
  }
}

/**
 * Asks PayU for a refund's status: by PayU's request id if we have it, otherwise among all actions on the payment.
 * In both cases, our token identifies the refund.
 */
export async function refundStatus(
  settings: PayuSettings,
  { paymentId, token, amountPaise, requestId }: RefundCall & { requestId: string | null },
  options?: Options,
): Promise<RefundStatus> {
  const subjectId = requestId ?? paymentId;
  const query = {
    command: "check_action_status",
    var1: subjectId,
    ...(requestId === null && { var2: "payuid" }),
  };
  try {
    const body = await sendCommand(settings, query, options);
    return readStatus(body, subjectId, { token, amountPaise });
  } catch (error) {
    return createUnknownAnswer(formatCommandError(error));
  }
}

/** PayU's error codes for a request that it will never carry out. */
const refusals = new Set([
  "103", // rejected on reconfirmation
  "105", // invalid amount
  "110", // a second partial refund of a card that allows one
  "111", // the payment's status allows no refund
  "113", // more than is left after a chargeback
  "116", // payment not found
  "117", // the amount does not match
  "124", // input is missing
  "128", // partial refunds are not allowed
  "230", // a purged payment
]);

function readAnswer(body: string): RefundAnswer {
  const answer = toRecord(parseKeepingDigits(body));
  const message = typeof answer.msg === "string" ? answer.msg : "no message";
  if (answer.status === "1") {
    const id = answer.request_id ?? answer.txn_update_id;
    return { outcome: "queued", requestId: typeof id === "string" && id !== "" ? id : null };
  }
  // A known token means that the refund was accepted before, whatever the code.
  const isRefusal = refusals.has(String(answer.error_code)) && !/token/i.test(message);
  if (answer.status === "0" && isRefusal) return { outcome: "refused", reason: message };
  return createUnknownAnswer(`answered: ${message}`);
}

type ExpectedRefund = Pick<RefundCall, "token" | "amountPaise">;

function readStatus(
  body: string,
  subjectId: string,
  { token, amountPaise }: ExpectedRefund,
): RefundStatus {
  const answer = toRecord(parseKeepingDigits(body));
  const details = toRecord(answer.transaction_details);
  if (!Object.hasOwn(details, subjectId))
    return createUnknownAnswer(`did not mention ${subjectId}`);
  const actions = details[subjectId];
  if (typeof actions === "string") {
    return /not? .*found/i.test(actions) ? { outcome: "not found" } : createUnknownAnswer(actions);
  }
  if (Object.keys(toRecord(actions)).length === 0)
    return createUnknownAnswer("answered without any action");
  const own = Object.values(toRecord(actions))
    .map(toRecord)
    .filter((one) => one.token === token);
  const [action, another] = own;
  if (!action) return { outcome: "not found" };
  if (another) return createUnknownAnswer("knows the token twice");

  const { status, request_id: requestId } = action;
  if (typeof status !== "string" || typeof requestId !== "string") {
    return createUnknownAnswer("answered without a status or a request id");
  }
  if (readAmount(action.amt) !== amountPaise) return createUnknownAnswer("states another amount");
  if (/^success$/i.test(status)) return { outcome: "settled", requestId };
  if (/^fail(ure|ed)$/i.test(status)) return { outcome: "failed", requestId, reason: status };
  return { outcome: "queued", requestId };
}

function createUnknownAnswer(reason: string): { outcome: "unknown"; reason: string } {
  return { outcome: "unknown", reason };
}
