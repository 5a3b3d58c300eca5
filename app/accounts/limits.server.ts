import { hour, minute } from "../platform/clock.ts";
import type { RateLimit } from "../platform/rate-limit.server.ts";

/** How often account actions may be tried. */
export const signInByAddress: RateLimit = {
  name: "sign-in-address",
  max: 10,
  windowMs: 15 * minute,
};
export const signInByClient: RateLimit = { name: "sign-in-client", max: 50, windowMs: 15 * minute };
export const signUpByClient: RateLimit = { name: "sign-up-client", max: 20, windowMs: hour };
export const mailByAddress: RateLimit = { name: "mail-address", max: 5, windowMs: hour };
export const mailByClient: RateLimit = { name: "mail-client", max: 20, windowMs: hour };
export const linkByClient: RateLimit = { name: "link-client", max: 60, windowMs: 15 * minute };
