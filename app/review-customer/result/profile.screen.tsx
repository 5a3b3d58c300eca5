import { useRevalidator } from "react-router";
import { findOwnProfile, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignInWithToast } from "../../accounts/guards.server.ts";
import { useSessionEnded } from "../../accounts/sign-in/ask-session.ts";
import { listCovers } from "../../annotations/document-pages/covers.server.ts";
import type { Thumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import { formatShortDate } from "../../platform/clock.ts";
import { appContext, type Toast } from "../../platform/app-context.server.ts";
import { withFallback } from "../../platform/forms.server.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Link } from "../../ui/link.tsx";
import type { Route } from "./+types/profile.screen.ts";
import { listUnsettledPayments } from "../buy/review-payments.server.ts";
import { OwnReviews, UnsettledPayments } from "./own-reviews.tsx";
import { listOwnReviews, type OwnReviewPage } from "./own-reviews.server.ts";
import * as styles from "./results.module.css";

const signedOut: Toast = {
  kind: "error",
  title: "Authentication Required",
  description: "Please log in to view your profile",
};

export const middleware = [requireSignInWithToast(() => signedOut)];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Profile");

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const after = url.searchParams.get("after");
  const [profile, { reviews, next }, unsettled] = await Promise.all([
    withFallback(context, () => findOwnProfile(db, actor), null),
    withFallback(context, () => listOwnReviews(db, actor, after), noReviews),
    withFallback(context, () => listUnsettledPayments(db, actor), []),
  ]);
  const ids = reviews.map(({ id }) => id);
  const covers = await withFallback(context, () => listCovers(db, actor, ids), noCovers);
  return {
    person: profile && {
      name: profile.fullName ?? actor.fullName,
      email: actor.email,
      since: formatShortDate(profile.createdAt),
    },
    reviews: reviews.map(({ createdAt, ...review }) => ({
      ...review,
      cover: covers.get(review.id) ?? null,
      submittedOn: formatShortDate(createdAt),
    })),
    after,
    next,
    unsettled: unsettled.map((payment) => ({
      ...payment,
      startedOn: formatShortDate(payment.startedAt),
    })),
  };
}

const noCovers = new Map<string, Thumbnail>();
const noReviews: OwnReviewPage = { reviews: [], next: null };

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { person, reviews, after, next, unsettled } = loaderData;
  const { revalidate } = useRevalidator();
  // The page may stay open for days, so its reviews and payments can be stale.
  const ended = useSessionEnded(revalidate, showSignedOutToast);
  if (ended) return <SignedOut />;
  return (
    <Page title="Your Profile" aside={person && <ProfileDetails {...person} />}>
      {!person && <FormAlert>Failed to load user data</FormAlert>}
      <UnsettledPayments payments={unsettled} />
      <Card
        title="Your Review Services"
        subtitle="Track the status of your resume and portfolio reviews"
      >
        <OwnReviews key={after} reviews={reviews} after={after} next={next} />
      </Card>
    </Page>
  );
}

function showSignedOutToast() {
  showToast(signedOut);
}

function ProfileDetails({
  name,
  email,
  since,
}: {
  name: string | null;
  email: string;
  since: string;
}) {
  return (
    <div className={styles.person}>
      <h2>{name}</h2>
      <dl>
        <dt>Email</dt>
        <dd>{email}</dd>
        <dt>Member since</dt>
        <dd>{since}</dd>
      </dl>
      <p>
        <Link to="/services">Buy a review</Link>
      </p>
      <p>
        <Link to="/profile/jobs">Your jobs</Link>
      </p>
      <p>
        <Link to="/profile/payments">Payments</Link>
      </p>
      <p>
        <Link to="/subscription">Manage Subscription</Link>
      </p>
      <p>
        <Link to="/profile/messages">Messages</Link>
      </p>
      <p>
        <Link to="/profile/alerts">Job alerts</Link>
      </p>
      <p>
        <Link to="/profile/mails">Email preferences</Link>
      </p>
      <p>
        <Link to="/profile/data">Your data and consents</Link>
      </p>
      <p>
        <Link to="/profile/details">Name and email address</Link>
      </p>
      <p>
        <Link to="/profile/second-factor">Second factor</Link>
      </p>
      <p>
        <Link to="/profile/passkeys">Passkeys</Link>
      </p>
      <p>
        <Link to="/profile/sessions">Where you're signed in</Link>
      </p>
    </div>
  );
}

function SignedOut() {
  return (
    <Page title="Your Profile" width="narrow">
      <p className="mb-4">Please log in to view your profile</p>
      <ButtonLink to="/login?next=%2Fprofile">Login</ButtonLink>
    </Page>
  );
}
