/** A receipt, an invoice, a credit note or a statement of fees, as its page and its PDF show it. */
export type PaymentDocument = {
  kind: "receipt" | "invoice" | "credit note" | "statement";
  title: string;
  /** The order's id on a receipt, the month of a statement, otherwise the serial. */
  number: string;
  productName: string;
  facts: { name: string; value: string }[];
  /** The amounts, from top to bottom. */
  amounts: { label: string; amount: string; isTotal?: true }[];
  end: string;
};
