import { reviews } from "./rules.ts";

/** What is asked before a selection is unassigned. */
export function unassignQuestion(count: number): string {
  const them = count === 1 ? "This will return it" : "This will return them";
  return `Are you sure you want to unassign ${reviews(count)}? ${them} to the pending queue.`;
}
