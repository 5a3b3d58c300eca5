import { createHash } from "node:crypto";
import type { HonoRequest } from "hono";
import { timeZone } from "../../platform/clock.ts";
import type { PayuSettings } from "../../platform/config.server.ts";
import { endings, type Attempt, type Fields } from "./ledger.server.ts";

/** Reads the fields of a form-encoded request. Any other request has none. */
export async function readFields(request: HonoRequest): Promise<Fields> {
  const type = request.header("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return {};
  return Object.fromEntries(new URLSearchParams(await request.text()));
}

/**
 * Builds the fields of a return (posted by the browser) or of a notice (posted by the server).
 * PayU has two spellings for its charges: one in the return, the other in the notice.
 */
export function buildCallbackFields(
  { key, salt }: PayuSettings,
  attempt: Attempt,
  by: "return" | "notice",
): Fields {
  const { request, charges } = attempt;
  const { status, error, message } = endings[attempt.unmapped];
  const udfs = Array.from({ length: 10 }, (_, index) => `udf${index + 1}`);
  const fields: Fields = {
    mihpayid: attempt.mihpayid,
    mode: "CC",
    status,
    unmappedstatus: attempt.unmapped,
    key,
    txnid: attempt.txnid,
    amount: formatPayuAmount(request.amount!),
    cardCategory: "domestic",
    discount: "0.00",
    net_amount_debit: status === "success" ? formatPayuAmount(getDebitedTotal(attempt)) : "0.00",
    addedon: formatIndianTime(attempt.startedAt),
    productinfo: request.productinfo ?? "",
    firstname: request.firstname ?? "",
    lastname: request.lastname ?? "",
    email: request.email ?? "",
    phone: request.phone ?? "",
    ...Object.fromEntries(udfs.map((name) => [name, request[name] ?? ""])),
    field9: status === "success" ? "Transaction Completed Successfully" : message,
    payment_source: "payu",
    PG_TYPE: "CC-PG",
    bank_ref_num: getBankReference(attempt),
    bankcode: "CC",
    error,
    error_Message: message,
    cardnum: "512345XXXXXX2346",
  };
  if (charges) fields[by === "return" ? "additionalCharges" : "additional_charges"] = charges;
  return { ...fields, hash: signResponse(fields, salt, charges) };
}

/** Builds the body of a notice to the merchant's server. */
export function buildNoticeBody(settings: PayuSettings, attempt: Attempt): string {
  return new URLSearchParams(buildCallbackFields(settings, attempt, "notice")).toString();
}

/** "199" → "199.00" */
export function formatPayuAmount(amount: string | number): string {
  return Number(amount).toFixed(2);
}

/** Returns the debited amount, in rupees. */
export function getDebitedTotal(attempt: Attempt): number {
  return Number(attempt.request.amount) + Number(attempt.charges);
}

/** Returns the payer's bank reference for a payment; empty if it isn't paid. */
export function getBankReference(attempt: Attempt): string {
  return attempt.unmapped === "captured" ? attempt.mihpayid.slice(-6) : "";
}

const indian = new Intl.DateTimeFormat("sv-SE", {
  timeZone,
  dateStyle: "short",
  timeStyle: "medium",
});

/** Formats a time in India: "2025-01-05 18:30:00" */
export function formatIndianTime(date: Date): string {
  return indian.format(date);
}

/**
 * PayU's side of the signatures. It shares no code with our client on purpose: with shared code, tests would not
 * notice a mistake in the formula.
 */

const requestOrder = "key txnid amount productinfo firstname email udf1 udf2 udf3 udf4 udf5".split(
  " ",
);

export function signRequest(fields: Fields, salt: string): string {
  const values = requestOrder.map((name) => fields[name] ?? "").join("|");
  return hashText(`${values}||||||${salt}`);
}

/** Signs a return or notice. PayU's own charges, if any, come first. */
export function signResponse(fields: Fields, salt: string, charges: string): string {
  const values = requestOrder.toReversed().map((name) => fields[name] ?? "");
  const plain = `${salt}|${fields.status}||||||${values.join("|")}`;
  return hashText(charges ? `${charges}|${plain}` : plain);
}

/** Signs a command to the merchant service. */
export function signCommand(fields: Fields, salt: string): string {
  return hashText(`${fields.key}|${fields.command}|${fields.var1}|${salt}`);
}

function hashText(text: string): string {
  return createHash("sha512").update(text, "utf8").digest("hex");
}
