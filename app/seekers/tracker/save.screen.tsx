import { useEffect, useRef } from "react";
import { Form, useSubmit } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { findSendingScreen } from "../../accounts/guards.server.ts";
import { findJob } from "../../jobs/listing/find-job.server.ts";
import { appContext, type Toast } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  type Sent,
  showReasonAsToast,
} from "../../platform/forms.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/save.screen.ts";
import {
  findPressedButton,
  expirePressedButton,
  parseWayBack,
  type RememberedButton,
  requireSignInToSave,
} from "./pressed-button.server.ts";
import { trackerLabels, trackerPath } from "./rules.ts";
import { removeSavedJob, saveJob, type SavedJob } from "./save-job.server.ts";
import stylesheet from "./save.screen.css?url";
import { listTrackedListings } from "./tracked-jobs.server.ts";
import * as styles from "./tracker.module.css";

const pageTitle = "Save this job";

export const middleware = [requireSignInToSave];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, pageTitle);

export const headers = () => ({ "Cache-Control": "private, no-store" });

/** Shows the job and changes nothing. Only a form of this product saves it. */
export async function loader({ request, url, params: { jobId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const [listing, [tracked]] = await Promise.all([
    findJob(db, null, jobId),
    listTrackedListings(db, getSignedInActor(context), jobId),
  ]);
  if (listing.state !== "open") throw new NotFound("Job Not Found");
  const { id, title, company } = listing.job;
  return {
    job: { id, title, company },
    label: tracked ? trackerLabels[tracked.state].label : null,
    pressed: findPressedButton(context, request, jobId),
    back: parseWayBack(url.searchParams.get("from") ?? findSendingPath(request, context), jobId),
  };
}

function findSendingPath(request: Request, context: Route.LoaderArgs["context"]): string | null {
  const screen = findSendingScreen(request, context);
  return screen && screen.pathname + screen.search;
}

/** The forms of this screen have `from`: the way back to where the button was pressed. */
const savingForm = z.object({ from: z.string().optional() });

/** The label of the listing from now on, null if it isn't in the list, and what happened. */
type Saving = { label: string | null; title: string };

function answerButton(
  saving: Saving,
  { params: { jobId = "" }, value: { from } }: Sent<z.output<typeof savingForm>>,
): { toast?: Toast; data: Response | Saving } {
  if (from === undefined) return { data: saving };
  return {
    toast: { kind: "success", title: saving.title },
    data: redirect(`${parseWayBack(from, jobId)}#job-${jobId}`),
  };
}

/** Answers the buttons of the board and of the job's page, and the form of this screen. */
export const action = createFormActions({
  save: createSaveIntent("save"),
  applied: createSaveIntent("applied"),
  unsave: createFormIntent({
    schema: savingForm,
    run: ({ params: { jobId = "" }, context }) =>
      removeSavedJob(context.get(appContext).db, context.get(currentActor), { jobId }),
    done: (_, form) => answerButton({ label: null, title: "Removed from your jobs" }, form),
    failed: showReasonAsToast,
    fallback: "We couldn't remove this job. Please try again later.",
  }),
});

function createSaveIntent(button: RememberedButton) {
  const state = button === "save" ? "saved" : "applied";
  return createFormIntent({
    schema: savingForm,
    run: ({ params: { jobId = "" }, context }) =>
      saveJob(context.get(appContext).db, context.get(currentActor), { jobId, state }),
    done(saved, form) {
      expirePressedButton(form.context);
      const { label } = trackerLabels[saved.state];
      return answerButton({ label, title: describeSaved(saved) }, form);
    },
    failed: showReasonAsToast,
    fallback: "We couldn't save this job. Please try again later.",
  });
}

function describeSaved({ state, isNew }: SavedJob): string {
  const { label } = trackerLabels[state];
  if (!isNew) return `This job is already in your list, as “${label}”`;
  return state === "saved" ? "Saved to your jobs" : "Added to your jobs as “Applied”";
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function SaveJob({ loaderData, actionData }: Route.ComponentProps) {
  const { job, pressed, back } = loaderData;
  const answer = actionData && "title" in actionData ? actionData : null;
  const label = answer ? answer.label : loaderData.label;
  return (
    <Page
      width="text"
      back={
        <BackLink to={back}>
          {back.startsWith("/jobs/") ? "Back to the job" : "Back to Jobs"}
        </BackLink>
      }
      title={pageTitle}
      intro={
        <p>
          “{job.title}” at {job.company}
        </p>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Card>
        <div className={styles.saveJob}>
          {answer ? (
            <p role="status">{answer.title}.</p>
          ) : (
            label && <p>{`This job is already in your list, as “${label}”.`}</p>
          )}
          {(label === null || (pressed === "applied" && !answer)) && (
            <ConfirmSaveForm pressed={pressed} back={back} />
          )}
          {label && (
            <div className={styles.saveJobWays}>
              <ButtonLink to={trackerPath}>See your jobs</ButtonLink>
              {label === trackerLabels.saved.label && <UnsaveForm back={back} />}
            </div>
          )}
        </div>
      </Card>
    </Page>
  );
}

/** Sends itself if this browser's visitor pressed the button before the sign-in. */
function ConfirmSaveForm({ pressed, back }: { pressed: RememberedButton | null; back: OwnPath }) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const isSent = useRef(false);
  useEffect(() => {
    if (pressed === null || isSent.current) return;
    isSent.current = true;
    void submit(form.current);
  }, [pressed, submit]);
  return (
    <Form ref={form} method="post" className={styles.saveJob}>
      <p>Your list keeps its state, your notes and the next step. Only you see it.</p>
      <input type="hidden" name="intent" value={pressed ?? "save"} />
      <input type="hidden" name="from" value={back} />
      <SubmitButton pendingLabel="Saving...">
        {pressed === "applied" ? "Add to your jobs as applied" : "Save to your jobs"}
      </SubmitButton>
    </Form>
  );
}

function UnsaveForm({ back }: { back: OwnPath }) {
  return (
    <Form method="post">
      <input type="hidden" name="from" value={back} />
      <SubmitButton intent="unsave" variant="secondary" pendingLabel="Removing...">
        Remove
      </SubmitButton>
    </Form>
  );
}
