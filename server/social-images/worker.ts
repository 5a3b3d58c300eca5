import { parentPort } from "node:worker_threads";
import type { SocialCard } from "../../app/ui/meta.ts";
import { drawCard } from "./render-card.ts";

/** The drawing thread: receives an order and returns a PNG or an error. */
parentPort?.on("message", (order: { card: SocialCard; productName: string }) => {
  drawCard(order.card, order.productName).then(
    (png) => parentPort?.postMessage({ png }, []),
    (error: unknown) => parentPort?.postMessage({ problem: String(error) }, []),
  );
});
