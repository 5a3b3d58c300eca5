import { data } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { useComingPages } from "../document-pages/use-coming-pages.ts";
import { buildMarkedSheets } from "../mark-sheets.server.ts";
import { MarkedResult } from "../marked-sheet/marked-result.tsx";
import { getServiceLabel } from "../../reviews/rules.ts";
import type { Route } from "./+types/shared.screen.ts";
import { toSharedPageViews } from "./rules.ts";
import styles from "./shared.css?url";
import { findSharedReview } from "./shares.server.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(
    matches,
    loaderData?.review ? getServiceLabel(loaderData.review.serviceType) : "A shared review",
  );

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const shared = await findSharedReview(context.get(appContext).db, token);
  if (!shared) return data({ review: null }, { status: 404 });
  const { pages, remarks, expiresAt, ...review } = shared;
  return data({
    review: {
      ...review,
      marked: buildMarkedSheets(toSharedPageViews(token, pages ?? []), [], remarks),
      areComing: pages === null,
      until: formatShortDate(expiresAt),
    },
  });
}

export default function Shared({ loaderData: { review } }: Route.ComponentProps) {
  useComingPages(review?.areComing ?? false);
  if (!review) {
    return (
      <Page title="A shared review">
        <link rel="stylesheet" href={styles} precedence="default" />
        <EmptyState
          drawing="lost"
          title="This link has expired. Ask the person who shared it for a new one."
        />
      </Page>
    );
  }
  const { serviceType, feedback, marked, scores, areComing, isBlackedOut, until } = review;
  return (
    <Page
      title={getServiceLabel(serviceType)}
      intro={
        <p className="shared-facts">
          <Badge tone="outline">Shared with you</Badge>
          <span>
            Open until {until}.{isBlackedOut && " What is black was blacked out by its owner."}
          </span>
        </p>
      }
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      {areComing ? (
        <EmptyState drawing="table" title="The pages are being copied. Look again in a moment." />
      ) : (
        <MarkedResult summary={{ feedback, scores, answers: [] }} marked={marked} done={[]} />
      )}
      <section className="have-yours-read">
        <h2>Have yours read</h2>
        <p>An expert reads your resume or portfolio, and says what to do, pinned to the spot.</p>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </section>
    </Page>
  );
}
