import { data, Link } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { shortDate } from "../../platform/clock.ts";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta/title.ts";
import { serviceLabel } from "../rules.ts";
import type { Route } from "./+types/workspace.screen.ts";
import { ReviewBadges } from "../assign/assignment-cards.tsx";
import { FeedbackForm } from "./feedback-form.tsx";
import { HandedBack } from "./handed-back.tsx";
import { Materials } from "./materials-view.tsx";
import { openReview } from "../assign/open-review.server.ts";
import { hasReview, readWorkspace, type Workspace } from "./find.server.ts";
import { SubmittedFeedback } from "./submitted-feedback.tsx";
import { remove, saveDraft, submit, workspaceForm } from "./workspace-forms.server.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  titled(
    matches,
    loaderData?.workspace ? serviceLabel(loaderData.workspace.serviceType) : "Review",
  );

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const actor = context.get(currentActor);
  const { db } = context.get(appContext);
  if (!params.reviewId) return problem(400, "Review ID is missing");
  if (!actor) return problem(401, "User authentication error");
  const { reviewId } = params;

  const held = await attempt(context, () => hasReview(db, actor, reviewId), retryLater);
  if (!held.ok) return problem(500, `Failed to load assignment: ${held.message}`);
  if (!held.value) return notFound();
  const read = await attempt(context, () => readWorkspace(db, actor, reviewId), retryLater);
  if (!read.ok) return problem(500, `Failed to load review: ${read.message}`);
  if (!read.value) return notFound();
  const workspace = read.value;
  if (workspace.isOpen && workspace.status === "pending") {
    const opened = await attempt(context, () => openReview(db, actor, reviewId), retryLater);
    if (!opened.ok) {
      const status = opened.refusal.init?.status ?? 500;
      return problem(status, `Failed to load assignment: ${opened.message}`);
    }
    workspace.status = "under_review";
  }
  const typed = workspace.isOpen ? await takeHeldForm(context, request) : {};
  return data({
    problem: null,
    workspace: { ...workspace, ...dates(workspace) },
    held: typed,
  });
}

const retryLater = { fallback: "Please try again later." };

function problem(status: number, title: string, description?: string) {
  return data({ problem: { title, description }, workspace: null, held: {} }, { status });
}

function notFound() {
  return problem(
    404,
    "Review not found",
    "The requested review could not be found or you don't have permission to access it",
  );
}

function dates({ submittedAt, assignedAt, completedAt, isOpen }: Workspace) {
  const done = completedAt ? shortDate(completedAt) : "Unknown date";
  return {
    when: isOpen ? `Assigned on ${shortDate(assignedAt)}` : `Completed on ${done}`,
    submitted: `Submitted on ${shortDate(submittedAt)}`,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await readForm(request, workspaceForm, 400);
  if (!form.ok) return form.refusal;
  const reviewId = params.reviewId ?? "";
  const sent = form.value;
  if (sent.intent === "submit") return submit(context, reviewId, sent);
  if (sent.intent === "save-draft") return saveDraft(context, reviewId, sent);
  return remove(context, { reviewId, kind: sent.kind, id: sent.id });
}

export default function WorkspaceScreen({ loaderData, actionData }: Route.ComponentProps) {
  const problems = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(problems?.errors);
  const { workspace, held } = loaderData;
  if (!workspace) return <Problem {...loaderData.problem} />;
  return (
    <>
      <BackToDashboard />
      <Page
        title={serviceLabel(workspace.serviceType)}
        intro={
          <div className="work-facts">
            <ReviewBadges {...workspace} />
            <span>{workspace.when}</span>
            <span>{workspace.submitted}</span>
          </div>
        }
      >
        <div className="workspace">
          <Materials materials={workspace.materials} />
          <div className="workspace-work">
            {workspace.isOpen ? (
              <FeedbackForm
                key={workspace.assignmentId}
                workspace={workspace}
                typed={problems?.values ?? held}
                errors={problems?.errors ?? {}}
              >
                <HandedBack workspace={workspace} />
              </FeedbackForm>
            ) : (
              <>
                <SubmittedFeedback workspace={workspace} />
                <HandedBack workspace={workspace} />
              </>
            )}
          </div>
        </div>
      </Page>
    </>
  );
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

function Problem({ title, description }: { title?: string; description?: string }) {
  return (
    <>
      <BackToDashboard />
      <Page title={title}>
        <EmptyState title={description ?? "This review cannot be shown."} drawing="lost" />
      </Page>
    </>
  );
}
