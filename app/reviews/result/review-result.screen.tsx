import { data } from "react-router";
import { signedInActor } from "../../accounts/actor.server.ts";
import { shortDate } from "../../platform/clock.ts";
import { isExpected } from "../../platform/errors.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { Badge } from "../../ui/layout/card.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta/title.ts";
import type { Route } from "./+types/review-result.screen.ts";
import { MaterialLinks } from "../material-links.tsx";
import { readOwnReview } from "../read.server.ts";
import { serviceLabel, statusBadge, statusCopy } from "../rules.ts";
import { ReviewResultView } from "./review-result-view.tsx";

const problems = {
  noId: "Review ID is missing. Please check the URL.",
  notTheirs:
    "You don't have permission to view this review. This might be due to Row-Level Security policies.",
  unread: "Failed to load review details",
};

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const shown = loaderData && "review" in loaderData ? loaderData.review : null;
  return titled(matches, shown ? serviceLabel(shown.serviceType) : "Review");
};

/** The id is in the path, or in the query as `id` or `reviewId`. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const id = params.id ?? url.searchParams.get("id") ?? url.searchParams.get("reviewId");
  if (!id) return data({ problem: problems.noId }, { status: 400 });
  try {
    const found = await readOwnReview(context.get(appContext).db, signedInActor(context), id);
    // The same for another's review and for none, so that nobody learns which exist.
    if (!found) return data({ problem: problems.notTheirs }, { status: 404 });
    const { createdAt, ...review } = found.review;
    return { review: { ...review, submittedOn: shortDate(createdAt) }, result: found.result };
  } catch (error) {
    if (isExpected(error)) return data({ problem: error.message }, { status: error.init.status });
    context
      .get(appContext)
      .log.error({ err: error, request: context.get(requestFacts).id }, "review");
    return data({ problem: problems.unread }, { status: 500 });
  }
}

export default function ReviewResult({ loaderData }: Route.ComponentProps) {
  if ("problem" in loaderData) {
    return (
      <Page title="Review" actions={<Back />}>
        <EmptyState title={loaderData.problem} drawing="lost" />
      </Page>
    );
  }
  const { review, result } = loaderData;
  return (
    <Page
      title={serviceLabel(review.serviceType)}
      intro={<Facts status={review.status} submittedOn={review.submittedOn} />}
      actions={<Back />}
      aside={
        <div className="sent">
          <h2>What you sent</h2>
          <MaterialLinks materials={review.materials} />
        </div>
      }
    >
      {result ? (
        <ReviewResultView result={result} />
      ) : (
        <EmptyState
          drawing="table"
          title={`This review is still ${statusCopy(review.status)}. Check back later for the completed review.`}
        />
      )}
    </Page>
  );
}

function Facts({ status, submittedOn }: { status: string; submittedOn: string }) {
  const badge = statusBadge(status);
  return (
    <span className="result-facts">
      {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      <span>Submitted on {submittedOn}</span>
    </span>
  );
}

function Back() {
  return (
    <ButtonLink to="/profile" variant="ghost" prefetch="intent">
      <Icon name="arrow-left" />
      Back to Profile
    </ButtonLink>
  );
}
