import { formatLongDate } from "../../platform/clock.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Badge } from "../../ui/layout/card.tsx";
import * as proseStyles from "../../ui/layout/prose.module.css";
import { Link } from "../../ui/link.tsx";
import * as jobsStyles from "../jobs.module.css";
import { PayBadge } from "../pay-badge.tsx";
import {
  type JobFact,
  type JobTexts,
  type PublicJob,
  reportedNotice,
  splitIntoParagraphs,
} from "../rules.ts";
import * as styles from "./listing.module.css";

/** A job as its page shows it. */
type ShownJob = PublicJob &
  JobTexts & { largeDescription: string | null; postedAt: Date; isReported: boolean };

/** The lines under a job's title. */
export function JobHeader({
  job,
  companyPath,
  check,
  applyBy,
}: {
  job: ShownJob;
  companyPath: OwnPath | null;
  check: string;
  applyBy: string | null;
}) {
  return (
    <>
      <p>
        <span className={styles.company}>
          {companyPath ? <Link to={companyPath}>{job.company}</Link> : job.company}
        </span>
        <span aria-hidden="true"> · </span>
        <span className="sr-only">, </span>
        <span>{job.location}</span>
      </p>
      <div className={styles.termsLine}>
        <PayBadge pay={job.pay} />
        <Badge tone="outline">{job.jobType}</Badge>
        {applyBy && <p className="font-semibold">{applyBy}</p>}
      </div>
      {job.isReported && <p className={jobsStyles.reported}>{reportedNotice}</p>}
      <p className={styles.dates}>
        Posted <time dateTime={job.postedAt.toISOString()}>{formatLongDate(job.postedAt)}</time>
        <span aria-hidden="true"> · </span>
        <span>{check}</span>
      </p>
    </>
  );
}

/** The stated details. Their links lead to the jobs that have the same. */
export function JobFacts({ facts }: { facts: JobFact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, values }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {values.map(({ text, to }) =>
              to ? (
                <Link key={text} to={to}>
                  {text}
                </Link>
              ) : (
                <span key={text}>{text}</span>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The summary followed by the full text, if there is one. */
export function JobDescription({ job }: { job: ShownJob }) {
  const full = job.largeDescription?.trim() ? job.largeDescription : null;
  return (
    <div className={`${proseStyles.prose} ${styles.description}`}>
      {full && (
        <div className={styles.lead}>
          {splitIntoParagraphs(job.description).map((paragraph, index) => (
            <p key={index}>{paragraph}</p>
          ))}
        </div>
      )}
      {splitIntoParagraphs(full ?? job.description).map((paragraph, index) => (
        <Paragraph key={index} text={paragraph} />
      ))}
    </div>
  );
}

/** A short phrase with a colon at the start of a paragraph, such as "How we hire:". */
const leadingPhrase = /^\p{Lu}[^.:?!\n]{2,40}:(?=\s\p{Lu}.{40})/u;

/** Shows a leading phrase as a heading of its paragraph. */
function Paragraph({ text }: { text: string }) {
  const [phrase] = leadingPhrase.exec(text) ?? [];
  if (!phrase) return <p>{text}</p>;
  return (
    <p>
      <strong>{phrase}</strong>
      {text.slice(phrase.length)}
    </p>
  );
}
