import { resolve } from "node:path";
import { oneAtATime } from "../../files/child/one-at-a-time.server.ts";
import { second } from "../../platform/clock.ts";
import type { Receipt } from "./receipt.ts";

/** Sets receipts, outside of the process that answers requests: faces are heavy to open. */
export type ReceiptProcess = {
  /**
   * Makes a PDF, one at a time.
   *
   * @param whose one person's receipts take turns with everybody else's
   * @throws {Error} when the process was ended from outside, or is being closed.
   */
  make(receipt: Receipt, whose: string): Promise<Buffer<ArrayBuffer>>;
  /** Ends the process in the middle of what it does. */
  close(): Promise<void>;
};

export function receiptProcess(): ReceiptProcess {
  const { run, close } = oneAtATime<Receipt, { pdf: string }>({
    program: resolve("app/reviews/payments/receipt-child.server.ts"),
    deadline: 30 * second,
  });
  return {
    async make(receipt, whose) {
      const answer = await run(receipt, whose);
      if (!("pdf" in answer))
        throw new Error(`A receipt cannot be made: ${Object.values(answer).join()}`);
      return Buffer.from(answer.pdf, "base64");
    },
    close,
  };
}
