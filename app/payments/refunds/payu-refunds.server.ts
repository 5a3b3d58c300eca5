import type { PayuSettings } from "../../platform/config.server.ts";
import { formatDecimalRupees } from "../money.ts";
import { toRecord, describe, parseKeepingDigits, readAmount, sendCommand } from "../payu.server.ts";
import type { RefundAnswer, RefundCall, RefundStatus } from "../payments.server.ts";

/**
 * PayU's two refund commands (https://docs.payu.in, "Refund Transaction API" and "Check Refund Status API").
 */

type Options = { fetch?: typeof globalThis.fetch; timeout?: number };

/**
 * Asks PayU to give money back. "queued" is not yet refunded. Never call it inside a transaction.
 *
 * Every answer that does not say for certain that the refund was taken up or refused is "unknown", also
 * that the token was seen before: {@link refundStatus} tells then what became of it.
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
    return createUnknownAnswer(describe(error));
  }
}

/**
 * Asks PayU what became of a refund: by PayU's own id of the request where that is known, else among all
 * that was done about the payment. Either way it is the one with our token.
 */
export async function refundStatus(
  settings: PayuSettings,
  { paymentId, token, amountPaise, requestId }: RefundCall & { requestId: string | null },
  options?: Options,
): Promise<RefundStatus> {
  const asked = requestId ?? paymentId;
  const question = {
    command: "check_action_status",
    var1: asked,
    ...(requestId === null && { var2: "payuid" }),
  };
  try {
    const body = await sendCommand(settings, question, options);
    return readStatus(body, asked, { token, amountPaise });
  } catch (error) {
    return createUnknownAnswer(describe(error));
  }
}

/** The codes of PayU's list that are about the request itself, so that it will never be carried out. */
const refusals = new Set([
  "103", // rejected on reconfirmation
  "105", // invalid amount
  "110", // a second partial refund of a card that allows one
  "111", // the payment is in no state to be refunded
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
  // A token that is known was taken up before, under whichever code.
  const isRefusal = refusals.has(String(answer.error_code)) && !/token/i.test(message);
  if (answer.status === "0" && isRefusal) return { outcome: "refused", reason: message };
  return createUnknownAnswer(`answered: ${message}`);
}

type Wanted = Pick<RefundCall, "token" | "amountPaise">;

function readStatus(body: string, asked: string, { token, amountPaise }: Wanted): RefundStatus {
  const answer = toRecord(parseKeepingDigits(body));
  const details = toRecord(answer.transaction_details);
  if (!Object.hasOwn(details, asked)) return createUnknownAnswer(`did not mention ${asked}`);
  const actions = details[asked];
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
