import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";

type Product = { name: string; supportEmail: string };

/** To the member who sent a listing that was published. */
export function ListingPublishedMail({
  product,
  origin,
  title,
  jobId,
}: {
  product: Product;
  origin: string;
  title: string;
  jobId: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Your listing is live"
      preview={`“${title}” is on the board.`}
    >
      <MailText>“{title}” is on the board now.</MailText>
      <MailText>
        We ask every two weeks whether the job is still open. If nobody answers, the listing leaves
        the board.
      </MailText>
      <MailAction href={`${origin}/jobs/${jobId}`}>See the listing</MailAction>
    </MailLayout>
  );
}

/** To the member who sent a listing that an admin returned. */
export function ListingReturnedMail({
  product,
  origin,
  title,
  reason,
  submissionId,
}: {
  product: Product;
  origin: string;
  title: string;
  reason: string;
  submissionId: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Please change your listing"
      preview={`We couldn't publish “${title}” yet.`}
    >
      <MailText>We read “{title}” and couldn't publish it yet. The reason:</MailText>
      <MailText>{reason}</MailText>
      <MailAction href={`${origin}/post/${submissionId}`}>Change the listing</MailAction>
    </MailLayout>
  );
}
