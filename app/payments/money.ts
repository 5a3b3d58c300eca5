/** Amounts are integers in paise inside the code and rupees on screens. */
import { formatIndianNumber } from "../platform/numbers.ts";

/** 19900 → "₹199", 19950 → "₹199.50" */
export function formatRupees(paise: number): string {
  const [rupees, decimals] = formatDecimalRupees(Math.abs(paise)).split(".");
  const fraction = decimals === "00" ? "" : `.${decimals}`;
  return `${paise < 0 ? "-" : ""}₹${formatIndianNumber(Number(rupees))}${fraction}`;
}

/** 19950 → "₹200", for sums of many amounts. */
export function formatWholeRupees(paise: number): string {
  return formatRupees(Math.round(paise / 100) * 100);
}

/** 19900 → "199.00", the format of the payment provider and of `orders.amount`. */
export function formatDecimalRupees(paise: number): string {
  return (paise / 100).toFixed(2);
}
