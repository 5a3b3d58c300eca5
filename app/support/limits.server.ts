import { hour } from "../platform/clock.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";

/** How often one may write to us; many people share the address of a mobile network. */
export const contactByClient: RateLimit = { name: "contact-client", max: 20, windowMs: hour };
export const contactByAddress: RateLimit = { name: "contact-address", max: 5, windowMs: hour };
