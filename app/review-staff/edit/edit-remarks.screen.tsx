import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { createFormActions, withFallback } from "../../platform/forms.server.ts";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { RemarkEditor } from "../../annotations/remarks/editor.tsx";
import { remarkForms } from "../../annotations/remarks/remark-changes.server.ts";
import { RemarkList } from "../../annotations/remarks/remark-list.tsx";
import { ScoreCard } from "../../annotations/remarks/score-card.tsx";
import { SecondLookResult } from "../../annotations/second-look/comparison.tsx";
import { getServiceLabel } from "../../reviews/rules.ts";
import { Materials, listPinnableImages } from "../workspace/materials-panel.tsx";
import type { Route } from "./+types/edit-remarks.screen.ts";
import { findCompletedRemarks } from "./completed-reviews.server.ts";
import stylesheet from "./edit-remarks.screen.css?url";
import * as styles from "../workspace/workspace.module.css";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Edit remarks");

export async function loader({ params: { reviewId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  await withFallback(context, () => ensureReviewPages(db, reviewId), undefined);
  const review = await findCompletedRemarks(db, context.get(currentActor), reviewId);
  if (!review) throw new NotFound();
  return { review, blankRemark: crypto.randomUUID() };
}

/** Saves for browsers without scripts; the others send each change to the editor's address below. */
export const action = createFormActions({
  "save-remark": remarkForms.save,
  "delete-remark": remarkForms.delete,
  score: remarkForms.score,
});

export default function EditRemarksScreen({ loaderData }: Route.ComponentProps) {
  const { review, blankRemark } = loaderData;
  const { id, serviceType, pages, images, screenshots, comparison } = review;
  useComingPages([...pages, ...screenshots].some(({ isComing }) => isComing));
  return (
    <Page
      back={<BackLink to={`/admin/reviews/completed?edit=${id}`}>Back to the review</BackLink>}
      title="Edit remarks"
      intro={`${getServiceLabel(serviceType)}, review ${id}. The customer sees every change right away.`}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <RemarkEditor
        key={id}
        address={`/admin/reviews/${id}/remarks/changes`}
        remarks={review.remarks}
        scores={review.scores}
        pages={pages.flatMap((part) => part.pages)}
        images={listPinnableImages(images, screenshots)}
      >
        <div className={styles.workspace}>
          <Materials {...review} />
          <div className={styles.work}>
            <RemarkList
              serviceType={serviceType}
              phrases={null}
              areComing={pages.some(({ isComing }) => isComing)}
              blank={blankRemark}
            />
            <ScoreCard serviceType={serviceType} />
          </div>
        </div>
      </RemarkEditor>
      {comparison && (
        <SecondLookResult comparison={comparison}>
          <p>The outcome of each earlier remark, as the reviewer decided it.</p>
        </SecondLookResult>
      )}
    </Page>
  );
}
