/** Money is an integer number of paise inside, and rupees at the edge. */
import { formatIndianNumber } from "../platform/numbers.ts";

/** 19900 → "₹199" */
export function formatRupees(paise: number): string {
  const rupees = Math.round(paise / 100);
  return `${rupees < 0 ? "-" : ""}₹${formatIndianNumber(Math.abs(rupees))}`;
}

/** 19900 → "199.00", the form in which a payment provider and `orders.amount` state an amount. */
export function formatDecimalRupees(paise: number): string {
  return (paise / 100).toFixed(2);
}
