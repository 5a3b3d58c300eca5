import { type Introduction, nameAndField } from "./rules.ts";

/** Who reads a customer's work, in that reviewer's own words. */
export function YourReviewer({ reviewer }: { reviewer: Introduction }) {
  const { firstName, about } = reviewer;
  return (
    <div className="your-reviewer">
      <span className="your-reviewer-mark" aria-hidden="true">
        {Array.from(firstName)[0]!.toUpperCase()}
      </span>
      <p>
        <span className="your-reviewer-name">
          Your reviewer: <strong>{nameAndField(reviewer)}</strong>
        </span>
        {about && <span className="your-reviewer-about">{about}</span>}
      </p>
    </div>
  );
}
