import { setTimeout } from "node:timers/promises";
import type { RouterContextProvider } from "react-router";
import { appContext } from "../platform/app-context.server.ts";
import { hour, minute } from "../platform/clock.ts";
import { countAsker, countTry, type RateLimit } from "../platform/rate-limit.server.ts";

/** How often account actions may be tried; those of signing in stand beside it. */
export const signUpByClient: RateLimit = { name: "sign-up-client", max: 20, windowMs: hour };
export const mailByAddress: RateLimit = { name: "mail-address", max: 5, windowMs: hour };
export const linkByClient: RateLimit = { name: "link-client", max: 60, windowMs: 15 * minute };
const mailByClient: RateLimit = { name: "mail-client", max: 20, windowMs: hour };

/**
 * Has a mail written that anybody may ask for, to any address.
 *
 * @throws {TooMany} where it is one too many, for the address or for whoever asks.
 */
export async function mailOnRequest(
  context: Readonly<RouterContextProvider>,
  address: string,
  write: () => Promise<void>,
): Promise<void> {
  await countAsker(context, mailByClient);
  await countTry(context.get(appContext), mailByAddress, address);
  await inSameTime(write);
}

/** Longer than looking for an account and writing it a mail take. */
const leastMs = 250;

/** Runs what takes longer for an address with an account, so that the time of the answer tells nothing. */
export async function inSameTime(work: () => Promise<void>): Promise<void> {
  const [done] = await Promise.allSettled([work(), setTimeout(leastMs)]);
  if (done.status === "rejected") throw done.reason;
}
