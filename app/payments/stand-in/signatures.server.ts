import { createHash } from "node:crypto";
import type { Fields } from "./attempt.ts";

/**
 * PayU's side of the signatures, written apart from the client's on purpose: were they shared,
 * a mistake in the formula would agree with itself.
 */

const requestOrder = "key txnid amount productinfo firstname email udf1 udf2 udf3 udf4 udf5".split(
  " ",
);

/** What the hash of a payment request has to be. */
export function signRequest(fields: Fields, salt: string): string {
  const values = requestOrder.map((name) => fields[name] ?? "").join("|");
  return digest(`${values}||||||${salt}`);
}

/** The hash of a return or notice; PayU's own charges, where there are any, come first. */
export function signResponse(fields: Fields, salt: string, charges: string): string {
  const values = requestOrder.toReversed().map((name) => fields[name] ?? "");
  const plain = `${salt}|${fields.status}||||||${values.join("|")}`;
  return digest(charges ? `${charges}|${plain}` : plain);
}

/** What the hash of a command to the merchant service has to be. */
export function signCommand(fields: Fields, salt: string): string {
  return digest(`${fields.key}|${fields.command}|${fields.var1}|${salt}`);
}

function digest(text: string): string {
  return createHash("sha512").update(text, "utf8").digest("hex");
}
