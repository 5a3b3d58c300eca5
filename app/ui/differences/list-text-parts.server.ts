import { diffArrays } from "diff";

/** A stretch of text that both versions have, or only the new or the old one. */
export type Part = { kind: "same" | "added" | "removed"; text: string };

/** A field of which the published and the new version differ. */
export type ChangedField = { label: string; parts: Part[] };

/** More changed words than this are shown as one change, so that a text takes little time to compare. */
const maxEdits = 1_000;

/** A text that has fewer of the other's words is a new one, whose few common words only distract. */
const minShare = 0.5;

/** Compares two texts by words, with the spaces after them. */
export function listTextParts(before: string, after: string): Part[] {
  const [old, current] = [listSpacedWords(before), listSpacedWords(after)];
  const parts = diffArrays(old, current, { maxEditLength: maxEdits }) ?? [];
  const same = parts.flatMap(({ added, removed, value }) => (added || removed ? [] : value));
  if (same.length < minShare * Math.min(old.length, current.length) || parts.length === 0)
    return toParts([
      { removed: true, added: false, value: old },
      { removed: false, added: true, value: current },
    ]);
  return toParts(parts);
}

function listSpacedWords(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

type Run = { added: boolean; removed: boolean; value: string[] };

function toParts(runs: Run[]): Part[] {
  return runs
    .filter(({ value }) => value.length > 0)
    .map(({ added, removed, value }, index, all) => {
      if (added) return { kind: "added", text: value.join("") };
      if (removed) return { kind: "removed", text: value.join("") };
      const [isFirst, isLast] = [index === 0, index === all.length - 1];
      return { kind: "same", text: truncateWords(value, { isFirst, isLast }) };
    });
}

/** The words beside a change that show where it is. */
const maxBeside = 15;

/** Leaves out words that are far from the changes. */
function truncateWords(
  words: string[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
) {
  const start = isFirst ? 0 : maxBeside;
  const end = isLast ? 0 : maxBeside;
  if (words.length <= start + end + maxBeside) return words.join("");
  const head = words.slice(0, start).join("");
  const tail = end === 0 ? "" : words.slice(-end).join("");
  return `${head}…${tail && ` ${tail}`}`;
}
