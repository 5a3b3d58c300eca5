import { createHash, timingSafeEqual } from "node:crypto";
import { second } from "../platform/clock.ts";
import type { PayuSettings } from "../platform/config.server.ts";
import { formatDecimalRupees } from "./money.ts";

/**
 * PayU India, hosted checkout: the form that starts a payment, the callback that reports it,
 * and the command that verifies it. Formulas and limits are PayU's own
 * (https://docs.payu.in, "Hosted Checkout", "Generate Hash" and "verify_payment").
 */

/** A payment and its buyer. Texts can contain anything; they are cleaned to match PayU's rules. */
export type Checkout = {
  /** Our own id: at most 25 letters, digits, hyphens and underscores. */
  txnId: string;
  amountPaise: number;
  productInfo: string;
  firstName: string;
  email: string;
  /** Ten digits. Anything else is replaced by the placeholder from the settings. */
  phone: string | null;
  serviceType: string;
  /** Sent instead of an address that PayU would reject. */
  supportEmail: string;
  surl: string;
  furl: string;
};

type Outcome = "success" | "failed" | "pending";

/** A genuine return or notice. Only the fields marked as signed are covered by the hash. */
export type Callback = {
  /** Signed. */
  txnId: string;
  /** Signed. Null if the text is not an amount in rupees. */
  amountPaise: number | null;
  /** Signed. False when the callback is about another merchant's payment. */
  keyMatches: boolean;
  /** Signed. A status that PayU does not document counts as pending. */
  status: Outcome;
  mihpayid: string;
  unmappedStatus: string;
  mode: string;
  errorMessage: string;
};

/** PayU's answer about a transaction, or the reason why there is none. Amounts exclude PayU's charges. */
export type Verification =
  | {
      outcome: "success";
      amountPaise: number;
      mihpayid: string;
      /** The charges that the payer paid on top. Null or missing if PayU didn't tell. */
      chargesPaise?: number | null;
    }
  | { outcome: "failed" | "pending"; amountPaise: number | null; mihpayid: string }
  | { outcome: "not found" }
  | { outcome: "unreachable"; reason: string };

type Fields = Record<string, string>;

/**
 * Builds the fields of the form that the browser posts to `settings.checkoutUrl`, including the hash.
 *
 * @throws {RangeError} for a transaction id or an amount that PayU would reject
 */
export function buildCheckoutFields(settings: PayuSettings, checkout: Checkout): Fields {
  const { txnId, amountPaise } = checkout;
  if (!/^[\w-]{1,25}$/.test(txnId)) throw new RangeError(`Invalid transaction id: "${txnId}"`);
  if (!Number.isSafeInteger(amountPaise) || amountPaise <= 0) {
    throw new RangeError(`Invalid amount in paise: ${amountPaise}`);
  }
  const fields = {
    key: settings.key,
    txnid: txnId,
    amount: formatDecimalRupees(amountPaise),
    productinfo: cleanPayuText(checkout.productInfo, 100) || "Order",
    firstname: cleanFirstName(checkout.firstName),
    email: cleanEmail(checkout.email, checkout.supportEmail),
    phone: /^\d{10}$/.test(checkout.phone ?? "") ? checkout.phone! : settings.placeholderPhone,
    udf1: cleanPayuText(checkout.serviceType, 255),
    surl: checkout.surl,
    furl: checkout.furl,
  };
  return { ...fields, hash: hashRequest(fields, settings.salt) };
}

/** Hashes a checkout form over the fields exactly as they are posted. */
export function hashRequest(fields: Fields, salt: string): string {
  const names = ["key", "txnid", "amount", "productinfo", "firstname", "email"];
  const signed = [...names, "udf1", "udf2", "udf3", "udf4", "udf5"].map((name) => fields[name]);
  return hashParts([...signed, "", "", "", "", "", salt]);
}

/**
 * Reads a return or a notice, given its form fields exactly as received.
 *
 * A genuine callback is still only a hint. The caller compares key, transaction and amount with the order, and
 * asks {@link verifyPayment}.
 *
 * @returns null if PayU did not sign it
 */
export function readCallback(settings: PayuSettings, fields: Fields): Callback | null {
  if (!isGenuine(settings, fields)) return null;
  return {
    txnId: fields.txnid ?? "",
    amountPaise: readAmount(fields.amount),
    keyMatches: fields.key === settings.key,
    status: readStatus(fields.status),
    mihpayid: fields.mihpayid ?? "",
    unmappedStatus: fields.unmappedstatus ?? "",
    mode: fields.mode ?? "",
    errorMessage: fields.error_Message ?? fields.error_message ?? fields.field9 ?? "",
  };
}

/**
 * Asks PayU for a transaction's status. Never call it inside a database transaction.
 *
 * Every failure to get a definite answer is "unreachable": no connection, no answer within
 * `timeout` milliseconds, an error status, or an answer in an undocumented format.
 */
export async function verifyPayment(
  settings: PayuSettings,
  txnId: string,
  { fetch = globalThis.fetch, timeout = 5 * second } = {},
): Promise<Verification> {
  const command = { command: "verify_payment", var1: txnId };
  try {
    return readVerification(txnId, await sendCommand(settings, command, { fetch, timeout }));
  } catch (error) {
    return createUnreachable(formatCommandError(error));
  }
}

/**
 * Sends a command and returns PayU's answer unparsed. Only the command's first variable is signed.
 *
 * @throws {Error} if there is no answer in time, and for any status except 200
 */
export async function sendCommand(
  { key, salt, commandUrl }: PayuSettings,
  command: { command: string; var1: string; var2?: string; var3?: string },
  { fetch = globalThis.fetch, timeout = 5 * second } = {},
): Promise<string> {
  const hash = hashParts([key, command.command, command.var1, salt]);
  const response = await fetch(commandUrl, {
    method: "POST",
    body: new URLSearchParams({ key, ...command, hash }),
    redirect: "error",
    signal: AbortSignal.timeout(timeout),
  });
  if (response.status !== 200) throw new WrongStatus(response.status);
  return response.text();
}

class WrongStatus extends Error {
  constructor(status: number) {
    super(`answered ${status}`);
  }
}

function cleanPayuText(text: string, length: number): string {
  return text
    .replace(/[^A-Za-z0-9 ._-]+/g, " ")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, length)
    .trim();
}

/** Cut to 20 characters. PayU documents 60, but its test host accepts only 20. */
function cleanFirstName(text: string): string {
  const name = text.trim().replace(/\s+/g, " ");
  return /^[A-Za-z0-9 ]+$/.test(name) ? name.slice(0, 20).trim() : "Customer";
}

function cleanEmail(address: string, supportEmail: string): string {
  const acceptable = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+$/.test(address) && address.length <= 50;
  return acceptable ? address : supportEmail;
}

function isGenuine(settings: PayuSettings, fields: Fields): boolean {
  const names = ["email", "firstname", "productinfo", "amount", "txnid", "key"];
  const signed = ["status", "udf5", "udf4", "udf3", "udf2", "udf1", ...names];
  const [status = "", ...rest] = signed.map((name) => fields[name] ?? "");

  // With a pipe inside a field, one signed string could be read as two different payments.
  if ([status, ...rest].some((value) => value.includes("|"))) return false;

  const parts = [settings.salt, status, "", "", "", "", "", ...rest];
  const charges = [fields.additionalCharges, fields.additional_charges].filter(Boolean);
  const possible = [parts, ...charges.map((charge) => [charge, ...parts])].map(hashParts);
  return possible.some((hash) => isSameText(hash, fields.hash ?? ""));
}

function hashParts(parts: (string | undefined)[]): string {
  return createHash("sha512").update(parts.join("|")).digest("hex");
}

function isSameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function readVerification(txnId: string, body: string): Verification {
  const answer = toRecord(parseKeepingDigits(body));
  const transactions = toRecord(answer.transaction_details);
  if (!Object.hasOwn(transactions, txnId)) {
    return createUnreachable(`did not mention ${txnId}: ${JSON.stringify(answer.msg)}`);
  }
  const transaction = toRecord(transactions[txnId]);
  const { status, mihpayid } = transaction;
  if (status === unknownTransaction) return { outcome: "not found" };
  if (typeof status !== "string" || typeof mihpayid !== "string") {
    return createUnreachable("answered without a status or a payment id");
  }

  const outcome = readStatus(status);
  // `amt` is the debited amount with charges. `transaction_amount` is the order's amount.
  const amountPaise = readAmount(transaction.transaction_amount ?? transaction.amt);
  if (outcome !== "success") return { outcome, amountPaise, mihpayid };
  if (amountPaise === null) return createUnreachable("answered success without an amount");
  return { outcome, amountPaise, mihpayid, chargesPaise: readCharges(transaction, amountPaise) };
}

/** Reads the charges themselves, or else how much more than the amount was debited. */
function readCharges(transaction: Record<string, unknown>, amountPaise: number): number | null {
  const charges = readAmount(transaction.additional_charges);
  const debited = readAmount(transaction.net_amount_debit);
  if (charges !== null || debited === null) return charges;
  return debited >= amountPaise ? debited - amountPaise : null;
}

/** Numbers stay text: a payment id has too many digits for a JavaScript number, and 199.00 is signed as text. */
export function parseKeepingDigits(json: string): unknown {
  return JSON.parse(json, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? (context?.source ?? String(value)) : value,
  );
}

/** PayU's status for a transaction that it doesn't know. */
const unknownTransaction = "Not Found";

function readStatus(status: string | undefined): Outcome {
  if (status === "success") return "success";
  return status === "failure" || status === "failed" ? "failed" : "pending";
}

/** "199" or "199.00" → 19900; null if the text is not an amount in rupees. */
export function readAmount(rupees: unknown): number | null {
  const match = typeof rupees === "string" && /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(rupees);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : null;
}

/** Returns parsed JSON if it is an object, and an empty object otherwise. */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function createUnreachable(reason: string): Verification {
  return { outcome: "unreachable", reason };
}

/** Explains why a command got no answer. */
export function formatCommandError(error: unknown): string {
  if (error instanceof WrongStatus) return error.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.name}: ${error.message}${cause}`;
}
