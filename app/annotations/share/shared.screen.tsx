import { data } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { FollowUpQuote } from "../follow-up/follow-up-text.tsx";
import { useComingPages } from "../document-pages/use-coming-pages.ts";
import { buildMarkedSheets } from "../mark-sheets.server.ts";
import { Bands } from "../marked-sheet/bands.tsx";
import { MarkedResult } from "../marked-sheet/marked-result.tsx";
import { getServiceLabel } from "../../reviews/rules.ts";
import type { Route } from "./+types/shared.screen.ts";
import { findSharedReview } from "./find-shares.server.ts";
import { toSharedPageViews } from "./rules.ts";
import stylesheet from "./shared.screen.css?url";
import * as styles from "./shared.module.css";
import * as markedStyles from "../marked-sheet/marked.module.css";
import * as haveYoursReadStyles from "./have-yours-read.module.css";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(
    matches,
    loaderData?.review ? getServiceLabel(loaderData.review.serviceType) : "A shared review",
  );

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const shared = await findSharedReview(db, config, token);
  if (!shared) return data({ review: null }, { status: 404 });
  const { pages, remarks, expiresAt, visible, ...review } = shared;
  const marked = buildMarkedSheets(toSharedPageViews(token, pages ?? []), [], remarks);
  return data({
    review: {
      ...review,
      marked,
      // Without remarks, the pages themselves are what there is to see.
      unmarked: remarks.length > 0 ? [] : marked.sheets.filter(({ id }) => visible.includes(id)),
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
        <link rel="stylesheet" href={stylesheet} precedence="default" />
        <EmptyState
          drawing="lost"
          title="This link has expired. Ask the person who shared it for a new one."
        />
      </Page>
    );
  }
  const { serviceType, areComing, isBlackedOut, until } = review;
  return (
    <Page
      title={getServiceLabel(serviceType)}
      intro={
        <p className={styles.facts}>
          <Badge tone="outline">Shared with you</Badge>
          <span>
            Open until {until}.{isBlackedOut && " What is black was blacked out by its owner."}
          </span>
        </p>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {areComing ? (
        <EmptyState drawing="table" title="The pages are being copied. Look again in a moment." />
      ) : (
        <SharedContent review={review} />
      )}
      <section className={haveYoursReadStyles.haveYoursRead}>
        <h2>Have yours read</h2>
        <p>An expert reads your resume or portfolio, and says what to do, pinned to the spot.</p>
        <ButtonLink to="/services" prefetch="intent">
          See the review services
        </ButtonLink>
      </section>
    </Page>
  );
}

type SharedView = NonNullable<Route.ComponentProps["loaderData"]["review"]>;

function SharedContent({ review }: { review: SharedView }) {
  const { feedback, scores, followUp, marked, unmarked, isBlackedOut } = review;
  const hasSummary = feedback !== undefined || Object.keys(scores).length > 0 || followUp !== null;
  const hasPages = marked.remarks.length > 0 || unmarked.length > 0;
  const reason = isBlackedOut
    ? "Its owner hides every page."
    : "It has no pages that can be shown, and no remarks on pages.";
  if (!hasSummary && !hasPages) {
    return (
      <EmptyState drawing="table" title="This link shows nothing of the review">
        <p>{reason} The written feedback isn't shared.</p>
      </EmptyState>
    );
  }
  return (
    <>
      {!hasPages && <p className={markedStyles.notice}>{reason}</p>}
      <MarkedResult summary={{ feedback, scores, answers: [] }} marked={marked} done={[]} />
      {followUp && (
        <section aria-labelledby="question-title">
          <h2 id="question-title">A question after the review</h2>
          <FollowUpQuote content={followUp.question} verb="Asked" remarks={marked.remarks} />
          <h3>The answer</h3>
          <FollowUpQuote content={followUp.answer} verb="Answered" remarks={marked.remarks} />
        </section>
      )}
      {unmarked.length > 0 && <UnmarkedPages sheets={unmarked} />}
    </>
  );
}

/** Shows the pages of a review that has no remarks on pages. */
function UnmarkedPages({ sheets }: { sheets: SharedView["unmarked"] }) {
  return (
    <section className={styles.unmarkedPages} aria-labelledby="pages-title">
      <h2 id="pages-title">Pages</h2>
      <p className={markedStyles.notice}>No remarks are pinned to these pages.</p>
      {sheets.map((sheet) => (
        <figure key={sheet.id}>
          <figcaption>{sheet.title}</figcaption>
          <Bands sheet={sheet} />
        </figure>
      ))}
    </section>
  );
}
