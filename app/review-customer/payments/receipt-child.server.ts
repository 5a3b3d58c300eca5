import { serveJobs } from "../../files/long-lived-process.server.ts";
import type { PaymentDocument } from "../../payments/payment-document.ts";

serveJobs(import.meta.filename, async (content: PaymentDocument) => {
  // Imported here, so that the supervising thread loads no fonts.
  const { renderReceiptPdf } = await import("./make-receipt.server.ts");
  return renderReceiptPdf(content);
});
