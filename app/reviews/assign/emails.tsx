import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { shortDate } from "../../platform/clock.ts";
import { priorityBadge, type ServiceType, services } from "../rules.ts";

type Product = { name: string; supportEmail: string };
type AssignedReview = { id: string; serviceType: ServiceType; priority: number; createdAt: Date };

type ToReviewer = { product: Product; origin: string; reviews: AssignedReview[] };

/** To a reviewer: the reviews of one assignment, each with its own link. */
export function ReviewsAssignedMail({ product, origin, reviews }: ToReviewer) {
  return (
    <MailLayout
      product={product}
      title={`${reviewsAre(reviews)} waiting for you`}
      preview="They are on your dashboard now."
    >
      <MailText>You have been assigned:</MailText>
      {reviews.map(({ priority, ...review }) => (
        <MailText key={review.id}>
          <a href={`${origin}/reviewer/submission/${review.id}`}>{serviceOf(review)}</a>
          {submittedOn(review)}
          {priorityBadge(priority) && `, priority ${priorityBadge(priority)?.label}`}
        </MailText>
      ))}
      <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
    </MailLayout>
  );
}

/** To a reviewer: the reviews that an admin took back in one command. */
export function ReviewsTakenBackMail({ product, origin, reviews }: ToReviewer) {
  return (
    <MailLayout
      product={product}
      title={`${reviewsAre(reviews)} no longer yours`}
      preview="They have left your dashboard."
    >
      <MailText>You need not do anything more for:</MailText>
      {reviews.map((review) => (
        <MailText key={review.id}>{`${serviceOf(review)}${submittedOn(review)}`}</MailText>
      ))}
      <MailText>Feedback that you had begun to write for them was not kept.</MailText>
      <MailAction href={`${origin}/reviewer`}>Open my dashboard</MailAction>
    </MailLayout>
  );
}

/** "A review is", "3 reviews are" */
export function reviewsAre({ length }: readonly unknown[]): string {
  return length === 1 ? "A review is" : `${length} reviews are`;
}

const serviceOf = ({ serviceType }: Pick<AssignedReview, "serviceType">) =>
  services[serviceType].label;
const submittedOn = ({ createdAt }: Pick<AssignedReview, "createdAt">) =>
  `, submitted ${shortDate(createdAt)}`;

/** To the customer, once, when a reviewer has it. */
export function ReviewUnderWayMail({
  product,
  link,
  service,
}: {
  product: Product;
  link: string;
  service: string;
}) {
  return (
    <MailLayout
      product={product}
      title={`Your ${service} is with a reviewer`}
      preview="We will write again when it is ready."
    >
      <MailText>
        A reviewer has your submission now. You need not do anything: we will write again when it is
        ready.
      </MailText>
      <MailAction href={link}>See my review</MailAction>
    </MailLayout>
  );
}

/** To the customer, once, when the feedback is there to read. */
export function ReviewCompletedMail({
  product,
  link,
  service,
}: {
  product: Product;
  link: string;
  service: string;
}) {
  return (
    <MailLayout
      product={product}
      title={`Your ${service} is ready`}
      preview="The feedback is there to read."
    >
      <MailText>
        Your reviewer has finished. The feedback, with any screenshots and files, is waiting for
        you.
      </MailText>
      <MailAction href={link}>Read the feedback</MailAction>
    </MailLayout>
  );
}
