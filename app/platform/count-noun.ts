import { formatIndianNumber } from "./numbers.ts";

/** Formats a count with its noun: "1 job", "2,000 jobs". @param several the plural, if it isn't the noun and an "s" */
export function countNoun(count: number, one: string, several = `${one}s`): string {
  return `${formatIndianNumber(count)} ${count === 1 ? one : several}`;
}
