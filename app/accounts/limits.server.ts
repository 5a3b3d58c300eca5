import { hour, minute } from "../platform/clock.ts";
import {
  countClientTry,
  type Counting,
  countTry,
  networksOf,
  type RateLimit,
} from "../platform/rate-limit.server.ts";

/** How often account actions may be tried. */
export const signUpByClient: RateLimit = { name: "sign-up-client", max: 20, windowMs: hour };
export const mailByAddress: RateLimit = { name: "mail-address", max: 5, windowMs: hour };
export const mailByClient: RateLimit = { name: "mail-client", max: 20, windowMs: hour };
/** Rarely does a session end in the middle of a form. */
export const heldFormByClient: RateLimit = { name: "held-form-client", max: 10, windowMs: hour };
export const linkByClient: RateLimit = { name: "link-client", max: 60, windowMs: 15 * minute };

const signInBy = (name: string, max: number): RateLimit => ({
  name: `sign-in-${name}`,
  max,
  windowMs: 15 * minute,
});
const signInByClient = signInBy("client", 50);
const signInByPair = signInBy("pair", 10);
/** All devices together that the account does not know: many networks guess no faster than this. */
const signInByStrangers = signInBy("strangers", 60);
const signInByDevice = signInBy("device", 10);

/**
 * Counts one try to sign in. A device that the account knows is counted by itself alone, so that no
 * guesses made elsewhere lock its owner out.
 *
 * @param from.device the mark of a known device; null for any other
 * @throws {TooMany} where it is one too many.
 */
export async function countSignIn(
  counting: Counting,
  email: string,
  from: { clientAddress: string; device: string | null },
): Promise<void> {
  if (from.device) return countTry(counting, signInByDevice, from.device);
  await countClientTry(counting, signInByClient, from.clientAddress);
  await countTry(counting, signInByPair, `${networksOf(from.clientAddress).own} ${email}`);
  await countTry(counting, signInByStrangers, email);
}
