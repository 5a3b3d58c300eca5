import { detailLabels, formatDetail, isDetail } from "../../jobs/job-facts.server.ts";
import type { WrittenJob } from "../../jobs/manage/job-commands.server.ts";
import type { JobInput } from "../../jobs/manage/rules.ts";
import { formatShortDate, getDayStart } from "../../platform/clock.ts";
import { type ChangedField, listTextParts } from "../../ui/differences/list-text-parts.server.ts";

export type Differences = {
  changed: ChangedField[];
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
