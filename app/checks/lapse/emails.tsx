import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { formatShortDate } from "../../platform/clock.ts";

type Product = { name: string; supportEmail: string };

/** The email to a subscriber whose listing nobody has checked yet. */
export function UncheckedListingMail({
  product,
  origin,
  title,
  job,
}: {
  product: Product;
  origin: string;
  title: string;
  job: { id: string; title: string; company: string; leavesAt: Date };
}) {
  const leavesOn = formatShortDate(job.leavesAt);
  return (
    <MailLayout product={product} title={title} preview={`It leaves the board on ${leavesOn}.`}>
      <MailText>
        Our team checks that each job on the board is open. We haven&apos;t been able to check “
        {job.title}” at {job.company} yet. Without a check, it leaves the board on {leavesOn}.
      </MailText>
      <MailText>
        Please make sure that the contact in your listing is correct, so that we can reach them.
      </MailText>
      <MailAction href={`${origin}/job-board?edit=${job.id}`}>Open your listing</MailAction>
      <MailText>
        If it leaves the board, you find it under Archived Jobs and can put it back.
      </MailText>
    </MailLayout>
  );
}
