import { Field, SelectField } from "../../ui/form/field.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Link } from "../../ui/link.tsx";
import {
  listingPrefix,
  type NextStep,
  trackerLabels,
  trackerLimits,
  trackerPath,
  trackerStates,
} from "./rules.ts";
import type { ClosedListing } from "./tracked-jobs.server.ts";
import * as styles from "./tracker.module.css";

/** The date of a next step. A due one is marked. */
export function StepLabel({ label, due }: NextStep) {
  if (due === "later") return <span>{label}</span>;
  return <Badge tone={due === "overdue" ? "danger" : "info"}>{label}</Badge>;
}

type Anchor = { as?: typeof Link };

/** The link to the next step as a calendar file. */
export function CalendarLink({ id, as: Anchor = Link }: Anchor & { id: string }) {
  return (
    <Anchor to={`${trackerPath}/${id}/next-step.ics`} reloadDocument>
      Add to calendar
    </Anchor>
  );
}

/** The link to the listing on the board, or to the page where the job was found. */
export function ListingLink({
  jobId,
  url,
  closed,
  as: Anchor = Link,
}: Anchor & {
  jobId: string | null;
  url: string;
  closed: ClosedListing | null;
}) {
  if (closed) return null;
  if (jobId !== null) return <Anchor to={`${listingPrefix}${jobId}`}>See the listing</Anchor>;
  if (url === "") return null;
  return (
    <Anchor to={url} target="_blank" rel="noopener noreferrer">
      Open the link
    </Anchor>
  );
}

/** The reason for which a listing left the board, and open jobs like it. */
export function ClosedNote({ closed: { why, similar } }: { closed: ClosedListing }) {
  return (
    <div className={styles.trackedClosed}>
      <p>This job is no longer open. {why}</p>
      {similar.length > 0 && (
        <>
          <p>Open jobs like it:</p>
          <ul>
            {similar.map(({ id, title, company, location }) => (
              <li key={id}>
                <Link to={`${listingPrefix}${id}`} prefetch="intent">
                  {title}
                </Link>{" "}
                <span>
                  {company} · {location}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

type FieldProps = { errors: Record<string, string>; values: Record<string, string> };

/** The fields of a job that was found elsewhere. */
export function OwnJobFields({ errors, values }: FieldProps) {
  return (
    <>
      <Field
        label="Job title"
        name="title"
        defaultValue={values.title}
        maxLength={trackerLimits.title}
        error={errors.title}
      />
      <Field
        label="Company"
        name="company"
        defaultValue={values.company}
        maxLength={trackerLimits.company}
        error={errors.company}
      />
      <Field
        label="Place"
        name="place"
        defaultValue={values.place}
        maxLength={trackerLimits.place}
        hint="Optional. For example Pune, or Remote."
        error={errors.place}
      />
      <Field
        label="Link"
        name="url"
        type="url"
        inputMode="url"
        defaultValue={values.url}
        maxLength={trackerLimits.url}
        hint="Optional. The page where you found it."
        error={errors.url}
      />
    </>
  );
}

export function StateField({ value, error }: { value: string; error: string | undefined }) {
  return (
    <SelectField
      label="State"
      name="state"
      defaultValue={value}
      options={trackerStates.map((state) => ({ value: state, label: trackerLabels[state].label }))}
      error={error}
    />
  );
}
