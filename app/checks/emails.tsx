import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { categoryLabels, type ReportReason } from "./rules.ts";

type Product = { name: string; supportEmail: string };
type Job = { title: string; company: string };

/** To a visitor who reported a listing. It has none of their text, since anyone can enter any address. */
export function ReportConfirmationMail({
  product,
  job,
  link,
}: {
  product: Product;
  job: Job;
  /** The address where they confirm it. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Confirm your report"
      preview="Open this email to confirm your report."
    >
      <MailText>
        You reported the listing “{job.title}” at {job.company}. To send us the report, open this
        link within 48 hours and confirm it.
      </MailText>
      <MailAction href={link}>Confirm your report</MailAction>
      <MailText>If you didn't report it, ignore this email.</MailText>
    </MailLayout>
  );
}

/** To an admin: several people reported a listing. */
export function JobReportedMail({
  product,
  origin,
  job,
  reasons,
}: {
  product: Product;
  origin: string;
  job: Job;
  /** The number of open reports by reason. */
  reasons: { reason: ReportReason; count: number }[];
}) {
  return (
    <MailLayout
      product={product}
      title="Several people reported a listing"
      preview={`“${job.title}” at ${job.company}`}
      choicesAt={`${origin}/profile/mails`}
    >
      <MailText>
        “{job.title}” at {job.company}
      </MailText>
      <MailText>
        {reasons.map(({ reason, count }, number) => (
          <span key={reason}>
            {number > 0 && <br />}
            {categoryLabels[reason]}: {count}
          </span>
        ))}
      </MailText>
      <MailText>
        The listing is still public. The board says that we are checking it, until an admin archives
        it or dismisses the reports.
      </MailText>
      <MailAction href={`${origin}/admin/jobs/reports`}>Open the reports</MailAction>
    </MailLayout>
  );
}
