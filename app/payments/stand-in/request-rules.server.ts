import type { PayuSettings } from "../../platform/config.server.ts";
import type { Fields } from "./attempt.ts";
import type { Ledger } from "./ledger.server.ts";
import { signRequest } from "./signatures.server.ts";

const mandatory = ["key", "txnid", "amount", "productinfo", "firstname", "email", "phone"];
const addresses = ["surl", "furl"];
const longest: Record<string, number> = {
  txnid: 25,
  productinfo: 100,
  firstname: 60,
  email: 50,
  udf1: 255,
  udf2: 255,
  udf3: 255,
  udf4: 255,
  udf5: 255,
};

/** Why PayU would not begin this payment, or null when it would. */
export function whyRefused(settings: PayuSettings, ledger: Ledger, fields: Fields): string | null {
  const missing = [...mandatory, ...addresses, "hash"].filter((name) => !fields[name]);
  if (missing.length > 0) return `Mandatory parameters are missing: ${missing.join(", ")}.`;
  if (fields.key !== settings.key) return "The key belongs to no merchant.";
  if (fields.hash !== signRequest(fields, settings.salt)) {
    return "Checksum failed: the hash does not match the fields.";
  }

  const long = Object.keys(longest).find((name) => (fields[name] ?? "").length > longest[name]!);
  if (long) return `${long} has more than ${longest[long]} characters.`;
  const broken = Object.keys(fields).find(
    (name) => isTextField(name) && /[|+&%]/.test(fields[name]!),
  );
  if (broken) return `${broken} has a character that breaks payments.`;
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(fields.amount!) || Number(fields.amount) < 1) {
    return "The amount is not a number of rupees of 1 or more.";
  }
  const address = addresses.find(
    (name) => !/^https?:/.test(fields[name]!) || !URL.canParse(fields[name]!),
  );
  if (address) return `${address} is no web address.`;

  if (ledger.attemptOf(fields.txnid!)?.unmapped === "captured") {
    return "Duplicate order id: a payment with this txnid was already successful.";
  }
  return null;
}

function isTextField(name: string): boolean {
  return [...mandatory, "udf1", "udf2", "udf3", "udf4", "udf5"].includes(name);
}
