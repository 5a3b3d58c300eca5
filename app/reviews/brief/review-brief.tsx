import { Fragment, type ReactNode } from "react";
import { type ReviewBrief, formatTargetRole, formatYears } from "../brief.ts";
import * as styles from "./review-brief.module.css";
import * as briefTargetStyles from "./brief-target.module.css";

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
    <section id="brief" className={styles.reviewBrief} aria-labelledby="brief-title">
      <Heading id="brief-title">What the customer asks for</Heading>
      <BriefAim brief={brief} />
      {children ?? (
        <dl className={styles.reviewAnswers}>
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
export function BriefAim({
  brief,
  className = "",
}: {
  brief: Pick<ReviewBrief, "role" | "company" | "years">;
  className?: string;
}) {
  const target = formatTargetRole(brief);
  if (!target && brief.years === null) return null;
  return (
    <dl className={`${briefTargetStyles.aim} ${className}`}>
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
    <div className={briefTargetStyles.yourBrief}>
      <h2>{isAsking ? "What you asked for" : "Your target role"}</h2>
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
