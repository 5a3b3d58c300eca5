import { data } from "react-router";
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
import { redirect } from "../../platform/redirect.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import { answerForm } from "../../annotations/answers/answers.server.ts";
import { ReviewBriefPart } from "../../reviews/brief/review-brief.tsx";
import { listMachineReadings } from "../../annotations/machine-reading/machine-reading.server.ts";
import { ensureReviewPages } from "../../annotations/document-pages/pages.server.ts";
import { buildMarkedSheets } from "../../annotations/mark-sheets.server.ts";
import type { Marked } from "../../annotations/marked.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { GivenRating } from "../../reviews/rating/given-rating.tsx";
import { recordReviewViews } from "../../reviews/file-views/file-views.server.ts";
import { outcomeForm } from "../../annotations/second-look/outcome-changes.server.ts";
import { remarkForms } from "../../annotations/remarks/remark-changes.server.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { failedTitles } from "../../reviews/staff-rules.ts";
import { listOfferedDrafts } from "../hand-back/drafts.server.ts";
import type { Route } from "./+types/workspace.screen.ts";
import { ReviewBadges } from "./assignment-cards.tsx";
import { hasAssignedReview, findWorkspace, type Workspace } from "./find.server.ts";
import { GivenRemarks } from "./given-remarks.tsx";
import { Attachments, SubmittedFeedback } from "./attachments.tsx";
import { Materials } from "./materials-panel.tsx";
import { OpenWorkspace } from "./open-workspace.tsx";
import { openReview, saveDraftFeedback } from "./own-review.server.ts";
import { removeUpload, type UploadKind } from "./review-uploads.server.ts";
import { submitReview } from "./submit-review.server.ts";
import { BackToDashboard } from "./work-bar.tsx";
import * as styles from "./workspace.module.css";
import * as dashboardStyles from "./dashboard.module.css";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(
    matches,
    loaderData?.workspace ? getBoughtService(loaderData.workspace).label : "Review",
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
  const { earlier } = workspace;
  const ids = [reviewId, ...(earlier?.reviewIds ?? [])];
  for (const id of ids) await withFallback(context, () => ensureReviewPages(db, id), undefined);
  if (workspace.isOpen && workspace.status === "pending") {
    const opened = await runCommand(context, () => openReview(db, actor, reviewId), retryLater);
    if (!opened.ok) {
      const status = opened.refusal.init?.status ?? 500;
      return buildWorkspaceProblem(status, `Failed to load assignment: ${opened.message}`);
    }
    workspace.status = "under_review";
  }
  for (const id of ids)
    await withFallback(context, () => recordReviewViews(db, actor, id), undefined);
  const readings = url.searchParams.has("reading")
    ? await withFallback(context, () => listMachineReadings(db, reviewId), [])
    : null;
  const drafts = workspace.isOpen
    ? await withFallback(context, () => listOfferedDrafts(db, actor, reviewId), [])
    : [];
  const typed = workspace.isOpen ? await restoreInterruptedForm(context, request) : {};
  return data({
    problem: null,
    workspace: {
      ...workspace,
      ...formatWorkspaceDates(workspace),
      marked: workspace.isOpen ? null : toMarked(workspace),
    },
    drafts,
    readings,
    hasEarlierPages: !url.searchParams.has("pages"),
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
    const form = { reviewId: readReviewIdParam(params), ...value };
    return submitReview(db, context.get(currentActor), form, config);
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
    const form = { reviewId: readReviewIdParam(params), ...value };
    return saveDraftFeedback(db, context.get(currentActor), form);
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
  "save-outcome": outcomeForm,
  "settle-earlier": remarkForms.settleEarlier,
  "delete-phrase": remarkForms.deletePhrase,
});

export async function clientAction(args: Route.ClientActionArgs) {
  const kind = (await args.request.clone().formData()).get("kind");
  return sendFormWithTitles(args, {
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
  useComingPages(
    workspace?.earlier?.isComing ||
      [...(workspace?.pages ?? []), ...(workspace?.screenshots ?? [])].some(
        ({ isComing }) => isComing,
      ),
  );
  if (!workspace) return <WorkspaceProblem {...loaderData.problem} />;
  if (workspace.isOpen) {
    return (
      <OpenWorkspace
        workspace={workspace}
        drafts={loaderData.drafts}
        readings={loaderData.readings}
        hasEarlierPages={loaderData.hasEarlierPages}
        blank={loaderData.blankRemark}
        restored={restored}
        refused={problems}
      />
    );
  }
  return (
    <>
      <BackToDashboard />
      <Page
        title={getBoughtService(workspace).label}
        intro={
          <div className={dashboardStyles.workFacts}>
            <ReviewBadges {...workspace} />
            <span>{workspace.when}</span>
            <span>{workspace.submitted}</span>
          </div>
        }
      >
        <div className={styles.workspace}>
          <Materials materials={workspace.materials} />
          <div className={styles.work}>
            <ReviewBriefPart brief={workspace.brief} />
            <SubmittedFeedback workspace={workspace} />
            <Attachments workspace={workspace} />
            <GivenRating rating={workspace.rating} />
          </div>
        </div>
        <GivenRemarks {...workspace} />
      </Page>
    </>
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
