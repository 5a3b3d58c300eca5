import { second } from "../platform/clock.ts";

/** Nobody types a subject and a message in less. */
const shortestWriting = second;

/**
 * Whether a program wrote this. `topic` is a field that no person sees. `renderedAt` says when the page
 * was drawn; it is empty once scripts run in the page, so that whoever has their browser or their
 * clipboard fill in the form is not taken for a program.
 */
export function isSuspect(trap: { topic: string; renderedAt: string }, moment: Date): boolean {
  if (trap.topic !== "") return true;
  if (trap.renderedAt === "") return false;
  const took = moment.getTime() - Number(trap.renderedAt);
  return !(took >= shortestWriting);
}
