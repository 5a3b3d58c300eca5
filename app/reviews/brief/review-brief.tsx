import { Fragment, type ReactNode } from "react";
import { type ReviewBrief, formatTargetRole, formatYears } from "../brief.ts";

/**
 * Renders the customer's brief, for staff; nothing without one.
 */
export function ReviewBriefPart({
  brief,
  level: Heading = "h2",
  children,
}: {
  brief: ReviewBrief | null;
  level?: "h2" | "h3";
  children?: ReactNode;
}) {
  if (!brief) return null;
  return (
    <section id="brief" className="review-brief" aria-labelledby="brief-title">
      <Heading id="brief-title">What the customer asks for</Heading>
      <BriefAim brief={brief} />
      {children ?? (
        <dl className="review-answers">
          {brief.questions.map(({ position, question, answer }) => (
            <Fragment key={position}>
              <dt>{question}</dt>
              <dd>{answer ?? "Not answered"}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Renders the target and the experience, without empty ones. */
export function BriefAim({ brief }: { brief: Pick<ReviewBrief, "role" | "company" | "years"> }) {
  const target = formatTargetRole(brief);
  if (!target && brief.years === null) return null;
  return (
    <dl className="aim">
      {target && (
        <>
          <dt>Target role</dt>
          <dd>{target}</dd>
        </>
      )}
      {brief.years !== null && (
        <>
          <dt>Experience</dt>
          <dd>{formatYears(brief.years)}</dd>
        </>
      )}
    </dl>
  );
}

/** Renders the customer's own brief beside their materials, with its questions until they are answered. */
export function YourBrief({
  brief,
  isAnswered,
}: {
  brief: ReviewBrief | null;
  isAnswered: boolean;
}) {
  const isAsking = !isAnswered && brief !== null && brief.questions.length > 0;
  if (!brief || (!isAsking && !brief.role && brief.years === null)) return null;
  return (
    <div className="your-brief">
      <h2>{isAsking ? "What you asked for" : "What you aim at"}</h2>
      <BriefAim brief={brief} />
      {isAsking && (
        <ol>
          {brief.questions.map(({ position, question }) => (
            <li key={position}>{question}</li>
          ))}
        </ol>
      )}
    </div>
  );
}
