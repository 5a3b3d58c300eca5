import { setTimeout } from "node:timers/promises";

/** Longer than looking for an account and writing it a mail take. */
const leastMs = 250;

/** Runs what takes longer for an address with an account, so that the time of the answer tells nothing. */
export async function inSameTime(work: () => Promise<void>): Promise<void> {
  const [done] = await Promise.allSettled([work(), setTimeout(leastMs)]);
  if (done.status === "rejected") throw done.reason;
}
