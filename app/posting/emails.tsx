import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";

type Product = { name: string; supportEmail: string };

/** To the member who sent a listing, or a change of one, that was published. */
export function ListingPublishedMail({
  product,
  origin,
  title,
  jobId,
  change,
}: {
  product: Product;
  origin: string;
  title: string;
  jobId: string;
  /** Null for a new listing. */
  change: { isOpen: boolean } | null;
}) {
  if (change && !change.isOpen)
    return (
      <MailLayout
        product={product}
        title="Your change is published"
        preview={`We published your change of “${title}”.`}
      >
        <MailText>
          We published your change of “{title}”. The listing left the board meanwhile, so designers
          don't see it now.
        </MailText>
        <MailAction href={`${origin}/post/listings`}>See your listings</MailAction>
      </MailLayout>
    );
  return (
    <MailLayout
      product={product}
      title={change ? "Your change is live" : "Your listing is live"}
      preview={change ? `“${title}” is changed on the board.` : `“${title}” is on the board.`}
    >
      <MailText>
        {change ? `Your change of “${title}” is` : `“${title}” is`} on the board now.
      </MailText>
      <MailText>
        We ask every two weeks whether the job is still open. If nobody answers, the listing leaves
        the board.
      </MailText>
      <MailAction href={`${origin}/jobs/${jobId}`}>See the listing</MailAction>
    </MailLayout>
  );
}

/** To the member who sent a listing, or a change of one, that an admin returned. */
export function ListingReturnedMail({
  product,
  origin,
  title,
  reason,
  submissionId,
  isChange,
}: {
  product: Product;
  origin: string;
  title: string;
  reason: string;
  submissionId: string;
  /** True for a change of a published listing. */
  isChange: boolean;
}) {
  const listing = isChange ? `your change of “${title}”` : `“${title}”`;
  return (
    <MailLayout
      product={product}
      title={isChange ? "Please edit your change" : "Please change your listing"}
      preview={`We couldn't publish ${listing} yet.`}
    >
      <MailText>We read {listing} and couldn't publish it yet. The reason:</MailText>
      <MailText>{reason}</MailText>
      {isChange && <MailText>The published listing stays as it is.</MailText>}
      <MailAction href={`${origin}/post/${submissionId}`}>
        {isChange ? "Edit the change" : "Change the listing"}
      </MailAction>
    </MailLayout>
  );
}

/** To the member who sent a listing that an admin approved and that its company pays for. */
export function ListingApprovedMail({
  product,
  origin,
  title,
  price,
  until,
  submissionId,
}: {
  product: Product;
  origin: string;
  title: string;
  price: string;
  until: string;
  submissionId: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Your listing is approved"
      preview={`Pay ${price} by ${until}, and “${title}” goes live.`}
    >
      <MailText>
        We read “{title}” and approved it. Pay {price} by {until}, and it is on the board as soon as
        the payment is confirmed.
      </MailText>
      <MailAction href={`${origin}/post/${submissionId}/preview`}>Pay and publish</MailAction>
    </MailLayout>
  );
}

/** To a member whose payment came when the listing could no longer be published. */
export function UndeliverableMail({
  product,
  origin,
  orderId,
}: {
  product: Product;
  origin: string;
  orderId: string;
}) {
  return (
    <MailLayout
      product={product}
      title="We refund your payment"
      preview="The listing could no longer be published."
    >
      <MailText>
        We received your payment {orderId} for a listing that was changed, published or taken back
        meanwhile. We refund it to the account or card you paid with, and email you when we do.
      </MailText>
      <MailAction href={`${origin}/post/listings`}>Open your listings</MailAction>
    </MailLayout>
  );
}
