import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { SecondLookResult } from "../../annotations/second-look/comparison.tsx";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { withFallback } from "../../platform/forms.server.ts";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/comparison.screen.ts";
import stylesheet from "./comparison.screen.css?url";
import { findOwnComparison } from "./own-reviews.server.ts";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

const title = "Before and after";

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const own = await findOwnComparison(db, getSignedInActor(context), id);
  if (!own) throw new NotFound();
  if (!own.comparison) return { id, comparison: null };
  const { earlierCreatedAt, ...view } = own.comparison;
  if (view.isComing)
    for (const reviewId of [id, ...view.earlierIds])
      await withFallback(context, () => ensureReviewPages(db, reviewId), undefined);
  return { id, comparison: { ...view, earlierOn: formatShortDate(earlierCreatedAt) } };
}

export default function ComparisonScreen({ loaderData: { id, comparison } }: Route.ComponentProps) {
  useComingPages(comparison?.isComing ?? false);
  return (
    <Page title={title} back={<BackLink to={`/service-review/${id}`}>Back to the review</BackLink>}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {comparison ? (
        <SecondLookResult comparison={comparison}>
          <p>
            Your reviewer compared these files with{" "}
            <Link to={`/service-review/${comparison.earlierIds[0]}`} reloadDocument>
              your review of {comparison.earlierOn}
            </Link>
            .
          </p>
        </SecondLookResult>
      ) : (
        <EmptyState title="There is no earlier review to compare this one with." drawing="table" />
      )}
    </Page>
  );
}
