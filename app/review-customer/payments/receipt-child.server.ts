import { serveJobs } from "../../files/long-lived-process.server.ts";
import type { Receipt } from "./rules.ts";

serveJobs(import.meta.filename, async (receipt: Receipt) => {
  // The thread that only watches opens no faces.
  const { renderReceiptPdf } = await import("./make-receipt.server.ts");
  return renderReceiptPdf(receipt);
});
