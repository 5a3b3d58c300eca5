import { doWatched } from "../../files/child-process.server.ts";
import type { Receipt } from "./rules.ts";

await doWatched(import.meta.filename, async (receipt: Receipt) => {
  // The thread that only watches opens no faces.
  const { makeReceipt } = await import("./make-receipt.server.ts");
  return makeReceipt(receipt);
});
