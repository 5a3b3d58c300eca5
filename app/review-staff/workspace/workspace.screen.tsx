import { data, redirect } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import {
  runCommand,
  buildFailureToast,
  createFormActions,
  createFormIntent,
  withFallback,
  type Posted,
  type Refusal,
} from "../../platform/forms.server.ts";
import { UploadGuard } from "../../files/upload-ui/upload-guard.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import { answerForm } from "../../annotations/answers/answers.server.ts";
import { AnswerForms, UnansweredNote, useAnswers } from "../../annotations/answers/answers.tsx";
import { ReviewBriefPart } from "../../reviews/brief/review-brief.tsx";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { listMachineReadings } from "../../annotations/machine-reading/machine-reading.server.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import { buildMarkedSheets } from "../../annotations/mark-sheets.server.ts";
import type { Marked } from "../../annotations/marked.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { GivenRating } from "../../reviews/rating/given-rating.tsx";
import { RemarkEditor } from "../../annotations/remarks/editor.tsx";
import { remarkForms } from "../../annotations/remarks/remark-changes.server.ts";
import { RemarkList } from "../../annotations/remarks/remark-list.tsx";
import { ScoreCard, UnscoredWarning } from "../../annotations/remarks/score-card.tsx";
import { getServiceLabel } from "../../reviews/rules.ts";
import { failedTitles, messages } from "../../reviews/staff-rules.ts";
import type { Route } from "./+types/workspace.screen.ts";
import { ReviewBadges } from "./assignment-cards.tsx";
import { FeedbackForm } from "./feedback-form.tsx";
import { hasAssignedReview, findWorkspace, type Workspace } from "./find.server.ts";
import { GivenRemarks, HandedBack, SubmittedFeedback } from "./handed-back.tsx";
import { Materials, listPinnableImages } from "./materials-panel.tsx";
import { openReview, saveDraftFeedback } from "./own-review.server.ts";
import { removeUpload, type UploadKind } from "./review-uploads.server.ts";
import { submitReview } from "./submit-review.server.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(
    matches,
    loaderData?.workspace ? getServiceLabel(loaderData.workspace.serviceType) : "Review",
  );

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const actor = context.get(currentActor);
  const { db } = context.get(appContext);
  if (!params.reviewId) return buildWorkspaceProblem(400, "Review ID is missing");
  if (!actor) return buildWorkspaceProblem(401, "User authentication error");
  const { reviewId } = params;

  const assigned = await runCommand(
    context,
    () => hasAssignedReview(db, actor, reviewId),
    retryLater,
  );
  if (!assigned.ok)
    return buildWorkspaceProblem(500, `Failed to load assignment: ${assigned.message}`);
  if (!assigned.value) return buildNotFoundProblem();
  const read = await runCommand(context, () => findWorkspace(db, actor, reviewId), retryLater);
  if (!read.ok) return buildWorkspaceProblem(500, `Failed to load review: ${read.message}`);
  if (!read.value) return buildNotFoundProblem();
  const workspace = read.value;
  await withFallback(context, () => ensureReviewPages(db, reviewId), undefined);
  if (workspace.isOpen && workspace.status === "pending") {
    const opened = await runCommand(context, () => openReview(db, actor, reviewId), retryLater);
    if (!opened.ok) {
      const status = opened.refusal.init?.status ?? 500;
      return buildWorkspaceProblem(status, `Failed to load assignment: ${opened.message}`);
    }
    workspace.status = "under_review";
  }
  const readings = url.searchParams.has("reading")
    ? await withFallback(context, () => listMachineReadings(db, reviewId), [])
    : null;
  const typed = workspace.isOpen ? await restoreInterruptedForm(context, request) : {};
  return data({
    problem: null,
    workspace: {
      ...workspace,
      ...formatWorkspaceDates(workspace),
      marked: workspace.isOpen ? null : toMarked(workspace),
    },
    readings,
    restored: typed,
    blankRemark: crypto.randomUUID(),
  });
}

const retryLater = { fallback: "Please try again later." };

function buildWorkspaceProblem(status: number, title: string, description?: string) {
  return data({ problem: { title, description }, workspace: null, restored: {} }, { status });
}

function buildNotFoundProblem() {
  return buildWorkspaceProblem(
    404,
    "Review not found",
    "The requested review could not be found or you don't have permission to access it",
  );
}

/** Prepares the remarks of a completed review, as its customer sees them. */
function toMarked({ pages, screenshots, remarks }: Workspace): Marked {
  const parts = pages.flatMap((part) => part.pages);
  return buildMarkedSheets(parts, screenshots, remarks);
}

function formatWorkspaceDates({ submittedAt, assignedAt, completedAt, isOpen }: Workspace) {
  const done = completedAt ? formatShortDate(completedAt) : "Unknown date";
  return {
    when: isOpen ? `Assigned on ${formatShortDate(assignedAt)}` : `Completed on ${done}`,
    submitted: `Submitted on ${formatShortDate(submittedAt)}`,
  };
}

const written = z.object({
  feedback: z.string().default(""),
  version: z.string().default(""),
});

/** Completes the review and redirects to the submitted version. */
const submit = createFormIntent({
  schema: written,
  run({ context, params, value }) {
    const { db, config } = context.get(appContext);
    const sent = { reviewId: readReviewIdParam(params), ...value };
    return submitReview(db, context.get(currentActor), sent, config);
  },
  done: (_, { params }) => ({
    toast: { kind: "success", title: "Review submitted successfully" },
    data: redirect(`/reviewer/submission/${params.reviewId}?submitted`),
  }),
  failed: ({ refusal }) => ({
    toast: { kind: "error", title: failedTitles.submit },
    data: clearStaleVersion(refusal),
  }),
});

/** Saves the draft for browsers without scripts; the others autosave. */
const saveDraft = createFormIntent({
  schema: written,
  run({ context, params, value }) {
    const { db } = context.get(appContext);
    const sent = { reviewId: readReviewIdParam(params), ...value };
    return saveDraftFeedback(db, context.get(currentActor), sent);
  },
  done: (_, { params }) => ({
    toast: { kind: "success", title: "Draft saved" },
    data: redirect(`/reviewer/submission/${params.reviewId}`),
  }),
  failed: ({ refusal }) => ({ data: clearStaleVersion(refusal) }),
});

/** Removes a screenshot or a file. The list is reloaded, so nothing is returned. */
const remove = createFormIntent({
  schema: z.object({ kind: z.enum(["image", "file"]), id: z.string() }),
  run({ context, params, value }) {
    const { db } = context.get(appContext);
    const upload = { reviewId: readReviewIdParam(params), ...value };
    return removeUpload(db, context.get(currentActor), upload);
  },
  done: (_, { value }) => ({
    toast: { kind: "success", title: `${titles[value.kind]} removed successfully` },
    data: null,
  }),
  failed: ({ message }, { value }) => ({
    toast: buildFailureToast(getRemoveFailureTitle(value.kind), message),
    data: null,
  }),
});

const titles: Record<UploadKind, string> = { image: "Image", file: "File" };

export const action = createFormActions({
  submit,
  "save-draft": saveDraft,
  remove,
  "save-remark": remarkForms.save,
  "delete-remark": remarkForms.delete,
  score: remarkForms.score,
  answer: answerForm,
  "settle-earlier": remarkForms.settleEarlier,
  "delete-phrase": remarkForms.deletePhrase,
});

export async function clientAction(sent: Route.ClientActionArgs) {
  const kind = (await sent.request.clone().formData()).get("kind");
  return sendFormWithTitles(sent, {
    submit: failedTitles.submit,
    remove: getRemoveFailureTitle(kind),
  });
}

function getRemoveFailureTitle(kind: unknown): string {
  return kind === "file" ? failedTitles.removeFile : failedTitles.removeImage;
}

function readReviewIdParam({ reviewId = "" }: Posted["params"]): string {
  return reviewId;
}

/** Clears the stale version after a conflict, since the form then shows the current draft. */
function clearStaleVersion(refusal: Refusal): Refusal {
  const { code, values } = refusal.data;
  if (code === "changed") delete values.version;
  return refusal;
}

export default function WorkspaceScreen({ loaderData, actionData }: Route.ComponentProps) {
  const problems = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(problems?.errors);
  const { workspace, restored } = loaderData;
  const readings = "readings" in loaderData ? loaderData.readings : null;
  useComingPages(
    [...(workspace?.pages ?? []), ...(workspace?.screenshots ?? [])].some(
      ({ isComing }) => isComing,
    ),
  );
  const answers = useAnswers(workspace);
  if (!workspace) return <WorkspaceProblem {...loaderData.problem} />;
  return (
    <>
      <BackToDashboard />
      <Page
        title={getServiceLabel(workspace.serviceType)}
        intro={
          <div className="work-facts">
            <ReviewBadges {...workspace} />
            <span>{workspace.when}</span>
            <span>{workspace.submitted}</span>
            <DueDate due={workspace.due} withDate />
          </div>
        }
      >
        {workspace.isOpen ? (
          <RemarkEditor
            key={workspace.assignmentId}
            address={getRemarksAddress(workspace.reviewId)}
            remarks={workspace.remarks}
            scores={workspace.scores}
            pages={workspace.pages.flatMap(({ pages }) => pages)}
            images={listPinnableImages(workspace.images, workspace.screenshots)}
          >
            {({ settle, entries }) => (
              <div className="workspace">
                <UploadGuard
                  place="path"
                  others={[...entries, ...answers.entries].some(isStuck) ? messages.notSaved : null}
                />
                <Materials {...workspace} readings={readings} canAdd />
                <div className="workspace-work">
                  <ReviewBriefPart brief={workspace.brief}>
                    <AnswerForms answers={answers} refused={problems} />
                  </ReviewBriefPart>
                  <Remarks workspace={workspace} blank={loaderData.blankRemark} />
                  <FeedbackForm
                    workspace={workspace}
                    typed={problems?.values ?? restored}
                    refused={problems}
                    settle={async () => (await answers.autosave.flush()) && settle()}
                    warnings={
                      <>
                        <UnscoredWarning serviceType={workspace.serviceType} />
                        <UnansweredNote answers={answers} />
                      </>
                    }
                  >
                    <HandedBack workspace={workspace} />
                  </FeedbackForm>
                </div>
              </div>
            )}
          </RemarkEditor>
        ) : (
          <>
            <div className="workspace">
              <Materials materials={workspace.materials} />
              <div className="workspace-work">
                <ReviewBriefPart brief={workspace.brief} />
                <SubmittedFeedback workspace={workspace} />
                <HandedBack workspace={workspace} />
                <GivenRating rating={workspace.rating} />
              </div>
            </div>
            <GivenRemarks {...workspace} />
          </>
        )}
      </Page>
    </>
  );
}

/** Checks whether something is unsaved and needs the person's attention. */
function isStuck({ state }: { state: { name: string } }): boolean {
  return state.name === "failed" || state.name === "conflict";
}

function Remarks({
  workspace: { reviewId, serviceType, phrases, earlierRemarks, pages },
  blank,
}: {
  workspace: Pick<Workspace, "reviewId" | "serviceType" | "phrases" | "earlierRemarks" | "pages">;
  blank: string;
}) {
  return (
    <>
      <RemarkList
        serviceType={serviceType}
        phrases={{ own: phrases, address: getRemarksAddress(reviewId) }}
        earlier={earlierRemarks}
        areComing={pages.some(({ isComing }) => isComing)}
        blank={blank}
      />
      <ScoreCard serviceType={serviceType} />
    </>
  );
}

/** Returns the address that scripts send changes of remarks to. */
function getRemarksAddress(reviewId: string): string {
  return `/reviewer/submission/${reviewId}/remarks`;
}

function BackToDashboard() {
  return (
    <nav className="work-back" aria-label="Back">
      <Link to="/reviewer">
        <Icon name="arrow-left" />
        Back to Dashboard
      </Link>
    </nav>
  );
}

function WorkspaceProblem({ title, description }: { title?: string; description?: string }) {
  return (
    <>
      <BackToDashboard />
      <Page title={title}>
        <EmptyState title={description ?? "This review cannot be shown."} drawing="lost" />
      </Page>
    </>
  );
}
