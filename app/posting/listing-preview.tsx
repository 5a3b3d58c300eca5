import { PointOfContact } from "../jobs/listing/beside-listing.tsx";
import { JobDescription, JobFacts, JobHeader } from "../jobs/listing/listing-article.tsx";
import { Card } from "../ui/layout/card.tsx";
import type { Preview } from "./build-preview.server.ts";
import * as styles from "./posting.module.css";

/**
 * A listing as its page will show it.
 *
 * @param preview.check the text in place of the last check
 */
export function ListingPreview({
  job,
  facts,
  contacts,
  portal,
  applyBy,
  check = "Not published yet",
}: Preview & { check?: string }) {
  return (
    <article className={styles.preview}>
      <header>
        <h2>{job.title}</h2>
        <JobHeader job={job} companyPath={null} check={check} applyBy={applyBy} />
      </header>
      <Card title="Point of Contact">
        <PointOfContact contacts={contacts} company={job.company} />
        {portal && (
          <p className="mt-4 text-sm wrap-anywhere">
            Apply via Portal:{" "}
            <a href={portal} target="_blank" rel="noopener noreferrer nofollow">
              {portal}
            </a>
          </p>
        )}
      </Card>
      <JobFacts facts={facts} />
      <JobDescription job={job} />
    </article>
  );
}
