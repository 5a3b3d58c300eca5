import { createHash } from "node:crypto";
import { type JobDetails } from "../details.ts";
import { detailLimits } from "../detail-limits.ts";
import { findDiscipline } from "./suggest-discipline.ts";
import { findExperience } from "./suggest-experience.ts";
import { findPay, hasMoney } from "./suggest-pay.ts";
import { isAbroad, suggestPlaces } from "./suggest-places.server.ts";
import { findSkills } from "./suggest-skills.ts";
import { findWorkMode, findWorkModeInTitle } from "./suggest-work-mode.ts";
import type { Found, JobTexts, Proposal, ProposalSource } from "./proposals.ts";

/**
 * Proposes details that a listing's texts state, each with its quote. It reads compensation, location and title.
 * Descriptions count for skills only, since a perk such as "work from anywhere for a month" is no work mode.
 */
export function suggestDetails(listing: ProposalSource): Proposal[] {
  const job = truncateTexts(listing);
  const mode = suggestWorkMode(job);
  const pay = suggestPay(job);
  return [
    ...suggestOne("discipline", "title", findDiscipline(job.title), (discipline) => ({
      discipline,
    })),
    ...mode,
    ...suggestPlaces(job.location, mode[0]?.values.workMode ?? null),
    ...suggestExperience(job, pay.length > 0),
    ...pay,
    ...suggestSkills(job),
  ];
}

/** Imported rows can be longer than the form allows. Their ends are ignored. */
function truncateTexts(job: ProposalSource): ProposalSource {
  const truncate = (text: string, length = 300) => text.slice(0, length);
  return {
    ...job,
    title: truncate(job.title),
    location: truncate(job.location),
    compensation: job.compensation && truncate(job.compensation),
    description: truncate(job.description, 20_000),
    largeDescription: job.largeDescription && truncate(job.largeDescription, 20_000),
  };
}

function suggestOne<Value>(
  key: string,
  from: keyof JobTexts,
  match: Found<Value> | null,
  toValues: (value: Value) => Partial<JobDetails>,
): Proposal[] {
  if (!match) return [];
  const { value, start, end } = match;
  return [{ key, values: toValues(value), quote: { from, start, end } }];
}

function suggestWorkMode({ location, title }: ProposalSource): Proposal[] {
  const [inLocation, inTitle] = [findWorkMode(location), findWorkModeInTitle(title)];
  if (inLocation && inTitle && inLocation.value !== inTitle.value) return [];
  return inLocation
    ? suggestOne("mode", "location", inLocation, (workMode) => ({ workMode }))
    : suggestOne("mode", "title", inTitle, (workMode) => ({ workMode }));
}

function suggestExperience({ title, compensation }: ProposalSource, hasPay: boolean): Proposal[] {
  const inTitle = findExperience(title);
  // Several amounts may be for several ranges of experience.
  const isClear = compensation !== null && (hasPay || !hasMoney(compensation));
  const inPay = isClear ? findExperience(compensation) : null;
  if (inTitle && inPay && JSON.stringify(inTitle.value) !== JSON.stringify(inPay.value)) return [];
  return inTitle
    ? suggestOne("experience", "title", inTitle, (value) => value)
    : suggestOne("experience", "compensation", inPay, (value) => value);
}

function suggestPay({ compensation, jobType, location }: ProposalSource): Proposal[] {
  if (!compensation) return [];
  const match = findPay(compensation, { jobType, isAbroad: isAbroad(location) });
  return suggestOne("pay", "compensation", match, (pay) => pay);
}

function suggestSkills({ description, largeDescription }: ProposalSource): Proposal[] {
  const proposals = new Map<number, Proposal>();
  for (const [from, text] of Object.entries({ description, largeDescription }))
    for (const { value: id, start, end } of findSkills(text ?? ""))
      if (!proposals.has(id))
        proposals.set(id, {
          key: `skill-${id}`,
          values: { skillIds: [id] },
          quote: { from: from as keyof JobTexts, start, end },
        });
  return [...proposals.values()].slice(0, detailLimits.skills);
}

/** Joins the values of several proposals: lists grow, everything else is stated once. */
export function joinProposals(proposals: readonly Proposal[]): Partial<JobDetails> {
  const merged: Partial<JobDetails> = {};
  for (const { values } of proposals) {
    for (const name of ["placeIds", "applicantPlaceIds", "skillIds"] as const)
      if (values[name]) merged[name] = [...(merged[name] ?? []), ...values[name]];
    const { placeIds: _places, applicantPlaceIds: _homes, skillIds: _skills, ...rest } = values;
    Object.assign(merged, rest);
  }
  return merged;
}

/** Returns a hash of a listing's texts and proposals, so that nothing is accepted unseen. */
export function getProposalsVersion(job: ProposalSource, proposals: readonly Proposal[]): string {
  const { title, location, compensation, jobType, description, largeDescription } = job;
  const texts = [title, location, compensation, jobType, description, largeDescription];
  return createHash("sha256")
    .update(JSON.stringify([texts, proposals]))
    .digest("hex");
}
