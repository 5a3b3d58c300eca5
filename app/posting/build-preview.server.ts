import { formatClosing } from "../jobs/check-rules.ts";
import { toContactsView } from "../jobs/contact/apply-methods.ts";
import { type JobDetails, noDetails } from "../jobs/details.ts";
import { listJobFacts, withJobTexts } from "../jobs/job-facts.server.ts";
import type { JobInput } from "../jobs/manage/rules.ts";
import { now } from "../platform/clock.ts";

const detailNames = Object.keys(noDetails) as (keyof JobDetails)[];

/**
 * Builds a listing as its page will show it.
 *
 * @param id the id of the submission, since a new listing has none yet
 * @param postedAt of a published listing
 */
export function buildPreview(id: string, listing: JobInput, postedAt = now()) {
  const { title, company, location, jobType, compensation, description, largeDescription } =
    listing;
  const stated = detailNames.map((name) => [name, listing[name] ?? noDetails[name]]);
  const details = Object.fromEntries(stated) as JobDetails;
  return {
    job: withJobTexts({
      id,
      title,
      company,
      location,
      jobType,
      compensation,
      description,
      largeDescription,
      details,
      postedAt,
      isReported: false,
    }),
    facts: listJobFacts(details, compensation),
    contacts: toContactsView(listing, true),
    portal: listing.portalApplicationLink,
    applyBy: formatClosing(listing.closesOn ?? null),
  };
}

export type Preview = ReturnType<typeof buildPreview>;
