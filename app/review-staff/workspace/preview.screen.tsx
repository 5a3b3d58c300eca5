import { useRevalidator } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { ReviewResultView } from "../../annotations/marked-sheet/result-parts.tsx";
import { SecondLookResult } from "../../annotations/second-look/comparison.tsx";
import { findComparison } from "../../annotations/second-look/find-second-look.server.ts";
import { toResultView } from "../../annotations/marked-sheet/result-view.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { withFallback } from "../../platform/forms.server.ts";
import { findReviewerIntroduction } from "../../reviews/reviewer-profile/introductions.server.ts";
import { YourReviewer } from "../../reviews/reviewer-profile/your-reviewer.tsx";
import { getServiceLabel } from "../../reviews/rules.ts";
import { useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { useSaves } from "../../ui/other-tabs.ts";
import type { Route } from "./+types/preview.screen.ts";
import { findWorkspace, type Workspace } from "./find.server.ts";
import { getDraftChannel } from "./use-draft.ts";
import { getRemarksAddress } from "./work-addresses.ts";
import stylesheet from "./preview.screen.css?url";
import * as styles from "./dashboard.module.css";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Preview");

/** No cache stores a draft. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

/** Reads a reviewer's own review as its customer would get it now. It changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const workspace = await findWorkspace(db, getSignedInActor(context), params.reviewId);
  if (!workspace) throw new NotFound();
  const { reviewId, secondLookOf, pages: parts, scores } = workspace;
  const [reviewer, comparison] = await Promise.all([
    withFallback(context, () => findReviewerIntroduction(db, reviewId), null),
    findComparison(db, { id: reviewId, secondLookOf }, { parts, scores }),
  ]);
  return {
    reviewId,
    assignmentId: workspace.assignmentId,
    service: getServiceLabel(workspace.serviceType),
    result: toResultView(toUnsubmittedResult(workspace)),
    reviewer,
    comparison,
  };
}

function toUnsubmittedResult(workspace: Workspace) {
  const { isOpen, draft, feedback, brief, images, files, scores, remarks, notices } = workspace;
  const isMarked = remarks.length > 0;
  return {
    feedback: (isOpen ? draft.feedback : feedback).trim() || null,
    answers: brief?.questions ?? [],
    images,
    files,
    scores,
    remarks,
    pages: isMarked ? workspace.pages : [],
    screenshots: isMarked ? workspace.screenshots : [],
    notices: isMarked ? notices : [],
  };
}

export default function PreviewScreen({ loaderData }: Route.ComponentProps) {
  const { reviewId, assignmentId, service, result, reviewer, comparison } = loaderData;
  const { revalidate } = useRevalidator();
  useRevalidateOnReturn();
  // It follows what is saved in the workspace beside it.
  useSaves(getDraftChannel(assignmentId), () => void revalidate());
  useSaves(getRemarksAddress(reviewId), () => void revalidate());
  return (
    <Page
      back={<BackLink to={`/reviewer/submission/${reviewId}`}>Back to the review</BackLink>}
      title={service}
      intro={
        <span className={styles.workFacts}>
          <Badge tone="info">Preview</Badge>
          <span>This is what your customer gets if you submit now. Only you can see it.</span>
        </span>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {comparison && (
        <SecondLookResult comparison={comparison}>
          <p>Your customer sees this on a separate screen.</p>
        </SecondLookResult>
      )}
      <ReviewResultView
        result={result}
        signature={reviewer && `reviewed by ${reviewer.firstName}`}
        aside={reviewer && <YourReviewer reviewer={reviewer} />}
        done={[]}
      />
    </Page>
  );
}
