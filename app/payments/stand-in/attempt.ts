export type Fields = Record<string, string>;

/** PayU's inner states, `unmappedstatus`, as far as the stand-in brings them about. */
export type Unmapped =
  | "initiated"
  | "pending"
  | "captured"
  | "failed"
  | "userCancelled"
  | "dropped";

/** One try to pay a transaction. A transaction whose try failed may be tried again. */
export type Attempt = {
  /** PayU's id of this attempt. */
  mihpayid: string;
  txnid: string;
  /** The form as the merchant's page posted it. */
  request: Fields;
  unmapped: Unmapped;
  /** Rupees that PayU added for itself: "10.00", or nothing. */
  charges: string;
  begunAt: Date;
};

/** How `verify_payment` answers: truly, not at all, or with something else than was notified. */
export const verifyModes = ["normal", "unreachable", "disagree", "wrong amount"] as const;
export type VerifyMode = (typeof verifyModes)[number];

type Ending = { status: "success" | "failure" | "pending"; error: string; message: string };

/** What PayU says of each state: its outer status, error code and message. */
export const endings: Record<Unmapped, Ending> = {
  initiated: { status: "pending", error: "E000", message: "Transaction is initiated" },
  pending: { status: "pending", error: "E000", message: "Transaction is pending at the bank" },
  captured: { status: "success", error: "E000", message: "No Error" },
  failed: { status: "failure", error: "E501", message: "Bank failed to authenticate the customer" },
  userCancelled: {
    status: "failure",
    error: "E1605",
    message: "Transaction failed due to customer pressing cancel button.",
  },
  dropped: {
    status: "failure",
    error: "E1903",
    message: "Transaction was dropped by the customer",
  },
};

/** True for one of PayU's inner states, as a form may name it. */
export function isUnmapped(text: string | undefined): text is Unmapped {
  return text !== undefined && Object.hasOwn(endings, text);
}

/** True for one of the ways in which `verify_payment` can answer. */
export function isVerifyMode(text: unknown): text is VerifyMode {
  return verifyModes.some((mode) => mode === text);
}
