import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { formatShortDate } from "../../platform/clock.ts";
import { type Count, countLabel } from "../../platform/lists/lists.ts";

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

/** The email to admins about listings from before the first check. */
export function FirstChecksMail({
  product,
  origin,
  title,
  count,
}: {
  product: Product;
  origin: string;
  title: string;
  count: Count;
}) {
  return (
    <MailLayout product={product} title={title} preview="They stay on the board until then.">
      <MailText>
        {`Each job on the board now says when it was last checked. ${describeUnchecked(count)}. Their pages say “Not checked yet”.`}
      </MailText>
      <MailText>
        Ask the contact of each job if it is still open. You can check several listings at once.
      </MailText>
      <MailAction href={`${origin}/admin/jobs/checks`}>Check listings</MailAction>
    </MailLayout>
  );
}

function describeUnchecked(count: Count): string {
  const listings = count.counted === 1 && !count.isMore ? "listing has" : "listings have";
  return `${countLabel(count)} open ${listings} never been checked`;
}
