import { minute } from "../platform/clock.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";

/** How often a payment may be begun, and how often results may be read. */
export const startByBuyer: RateLimit = { name: "payment-start", max: 10, windowMs: 15 * minute };
/** Generous, since a phone network puts many people behind one address. */
export const resultByClient: RateLimit = {
  name: "payment-result",
  max: 300,
  windowMs: 5 * minute,
};
