import type { ListedJob } from "../jobs/find.server.ts";
import { payUnstated, reportedNotice } from "../jobs/rules.ts";
import { hairline, mailColors } from "../mail/mail-style.ts";
import { cleanLine } from "../platform/text/text.ts";

/** The facts of a job in an email's list. */
export type MailedJob = Pick<
  ListedJob,
  "id" | "title" | "company" | "place" | "jobType" | "pay" | "isReported" | "check" | "applyBy"
>;

/** An open job in an email's list. Imported texts may have line breaks. */
export function MailJob({
  origin,
  job: { id, title, company, place, jobType, pay, isReported, check, applyBy },
}: {
  origin: string;
  job: MailedJob;
}) {
  const terms = [jobType, pay ?? payUnstated];
  return (
    <p style={entry}>
      <a href={`${origin}/jobs/${id}`} style={entryTitle}>
        {cleanLine(title)}
      </a>
      <br />
      {cleanLine(company)} · {cleanLine(place)}
      <br />
      {terms.map(cleanLine).join(" · ")}
      <br />
      <span className="mail-faint" style={faintText}>
        {[check, applyBy].filter(Boolean).join(" · ")}
      </span>
      {isReported && (
        <>
          <br />
          {reportedNotice}
        </>
      )}
    </p>
  );
}

export const faintText = { color: mailColors.faint, fontSize: 14 };
const { ink } = mailColors;
const entry = {
  borderTop: hairline,
  color: ink,
  fontSize: 16,
  lineHeight: "24px",
  margin: 0,
  padding: "14px 0",
};
const entryTitle = { color: ink, fontSize: 18, fontWeight: 700, lineHeight: "26px" };
