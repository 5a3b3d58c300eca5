import { second } from "./clock.ts";

/** Reading a form and typing into it takes a person longer than this. */
const minWritingTime = second;

/** The fields of `SpamTrap` in a form. */
type SpamTrapFields = { topic: string; renderedAt: string };

/**
 * Checks whether a bot probably sent a form. `topic` is a field that people can't see. `renderedAt` is the time the page
 * was rendered. Scripts clear it, so that autofill and pasting aren't mistaken for a bot.
 */
export function isSuspectedSpam(trap: SpamTrapFields, moment: Date): boolean {
  if (trap.topic !== "") return true;
  if (trap.renderedAt === "") return false;
  const elapsed = moment.getTime() - Number(trap.renderedAt);
  return !(elapsed >= minWritingTime);
}
