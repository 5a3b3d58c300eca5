/** Amounts are integers in paise inside the code and rupees on screens. */
import { formatIndianNumber } from "../platform/numbers.ts";

/** 19900 → "₹199" */
export function formatRupees(paise: number): string {
  const rupees = Math.round(paise / 100);
  return `${rupees < 0 ? "-" : ""}₹${formatIndianNumber(Math.abs(rupees))}`;
}

/** 19900 → "₹199", 19950 → "₹199.50" */
export function formatPrice(paise: number): string {
  const amount = formatDecimalRupees(paise).replace(/\.00$/, "");
  const [rupees, decimals] = amount.split(".");
  return `₹${formatIndianNumber(Number(rupees))}${decimals ? `.${decimals}` : ""}`;
}

/** 19900 → "199.00", the format of the payment provider and of `orders.amount`. */
export function formatDecimalRupees(paise: number): string {
  return (paise / 100).toFixed(2);
}
