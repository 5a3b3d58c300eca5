/** Pages with their numbered remarks; safe for the browser. */
import type { PinPosition } from "./pin-positions.ts";
import type { PageBand, Remark } from "./rules.ts";
import type { Severity } from "./severities.ts";

export type NumberedRemark = Remark & { number: number };

/** A page or a screenshot that remarks are pinned to. */
export type Sheet = {
  /** Its name in links, such as "resume-1". */
  id: string;
  title: string;
  caption: string | null;
  width: number;
  height: number;
  bands: PageBand[];
  /** The address of a screenshot's original, shown while there are no bands. */
  href: string | null;
  /** Remarks on the whole sheet first, then from top to bottom. */
  remarks: NumberedRemark[];
  /** The positions in the margin of the remarks that are about an area, by id. */
  pins: Record<string, PinPosition>;
};

export type Marked = {
  sheets: Sheet[];
  /** Remarks whose screenshot was removed, or whose page is not shown. */
  unpinned: NumberedRemark[];
  /** All remarks by number. */
  remarks: NumberedRemark[];
};

/** Selects the first things to do: the reviewer's choice in its order, else the first three must-fixes. */
export function selectFirstThings(remarks: NumberedRemark[]): NumberedRemark[] {
  const chosen = remarks.filter(({ rank }) => rank !== null);
  if (chosen.length > 0) return chosen.toSorted((one, other) => one.rank! - other.rank!);
  return remarks.filter(({ severity }) => severity === "must").slice(0, 3);
}

const counts = ["No", "One", "Two", "Three"];

/** Formats the heading of the first things: "Three things first". */
export function formatFirstThingsTitle({ length }: NumberedRemark[]): string {
  return length === 1 ? "One thing first" : `${counts[length]} things first`;
}

export function extractFirstSentence(text: string): string {
  return /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

export function countBySeverity(remarks: Remark[]): Record<Severity, number> {
  const counts = { must: 0, should: 0, idea: 0, keep: 0 };
  for (const { severity } of remarks) counts[severity] += 1;
  return counts;
}

/** Checks whether a remark needs action. Strengths do not. */
export function isActionable({ severity }: Pick<Remark, "severity">): boolean {
  return severity !== "keep";
}

/** Finds the remark that a step leads to from the current one; from none, the first or the last. */
export function findAdjacentRemark(
  ids: string[],
  current: string | null,
  step: 1 | -1,
): string | undefined {
  const position = current === null ? -1 : ids.indexOf(current);
  if (position < 0) return step > 0 ? ids[0] : ids.at(-1);
  return ids[(position + step + ids.length) % ids.length];
}
