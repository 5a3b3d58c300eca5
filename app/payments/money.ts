/** Amounts are integers in paise inside the code and rupees on screens. */
import { formatIndianNumber } from "../platform/numbers.ts";

/** 19900 → "₹199" */
export function formatRupees(paise: number): string {
  const rupees = Math.round(paise / 100);
  return `${rupees < 0 ? "-" : ""}₹${formatIndianNumber(Math.abs(rupees))}`;
}

/** 19900 → "199.00", the format of the payment provider and of `orders.amount`. */
export function formatDecimalRupees(paise: number): string {
  return (paise / 100).toFixed(2);
}
