/** Money is an integer number of paise inside, and rupees at the edge. */

const wholeRupees = new Intl.NumberFormat("en-IN", {
  style: "currency",
  currency: "INR",
  maximumFractionDigits: 0,
});

/** 19900 → "₹199" */
export function formatRupees(paise: number): string {
  return wholeRupees.format(paise / 100);
}

/** 19900 → "199.00", the form in which a payment provider and `orders.amount` state an amount. */
export function rupeesWithPaise(paise: number): string {
  return (paise / 100).toFixed(2);
}
