import { diffArrays } from "diff";
import { detailLabels, formatDetail, isDetail } from "../../jobs/job-facts.server.ts";
import type { WrittenJob } from "../../jobs/manage/job-commands.server.ts";
import type { JobInput } from "../../jobs/manage/rules.ts";
import { formatShortDate, getDayStart } from "../../platform/clock.ts";

/** A stretch of text that both versions have, or only the new or the old one. */
export type Part = { kind: "same" | "added" | "removed"; text: string };

export type Differences = {
  changed: { label: string; parts: Part[] }[];
  unchanged: { label: string; text: string }[];
};

/** The fields in the order of the form, with its labels. */
const labels: Readonly<Record<keyof WrittenJob, string>> = {
  title: "Job title",
  company: "Company",
  location: "Location",
  jobType: "Job type",
  compensation: "Compensation",
  description: "Brief summary",
  largeDescription: "Detailed description",
  pocName: "POC name",
  pocContact: "POC contact",
  portalApplicationLink: "Portal application link",
  directApplicationLink: "Direct application link",
  ...detailLabels,
  closesOn: "Closing date",
};
const names = Object.keys(labels) as (keyof WrittenJob)[];

/** Lists the fields that a change of a published listing changes, and the stated ones that it leaves as they are. */
export function listDifferences(published: WrittenJob, listing: JobInput): Differences {
  const differences: Differences = { changed: [], unchanged: [] };
  for (const name of names) {
    const label = labels[name];
    const before = formatFieldValue(name, published[name]);
    const after = listing[name] === undefined ? before : formatFieldValue(name, listing[name]);
    if (before !== after) differences.changed.push({ label, parts: listTextParts(before, after) });
    else if (after !== "") differences.unchanged.push({ label, text: after });
  }
  return differences;
}

function formatFieldValue(name: keyof WrittenJob, value: unknown): string {
  if (isDetail(name)) return formatDetail(name, value) ?? "";
  if (typeof value !== "string") return "";
  return name === "closesOn" ? formatShortDate(getDayStart(value)) : value;
}

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
