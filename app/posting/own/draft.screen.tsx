import { useCallback, useRef } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { findCompanyJob, getBaseVersion } from "../../jobs/manage/company-changes.server.ts";
import { isJobFormChanged, JobFormFields } from "../../jobs/manage/job-form-fields.tsx";
import { applyTypedValues } from "../../jobs/manage/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  type Sent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { readDraft, toDraftValues } from "../listing-form.server.ts";
import { kindLabels, messages } from "../rules.ts";
import type { Route } from "./+types/draft.screen.ts";
import { removeSubmission, saveComplete, saveDraft } from "./change-submission.server.ts";
import stylesheet from "./draft.screen.css?url";
import * as styles from "./own.module.css";
import { getOwnSubmission } from "./own-submissions.server.ts";

const title = "Edit your listing";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, params: { submissionId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const submission = await getOwnSubmission(db, context.get(currentActor), submissionId);
  const { state, company, fields, version, reason } = submission;
  if (state === "live") throw redirect("/post/listings");
  if (state === "waiting" || state === "payable") throw redirect(`/post/${submissionId}/preview`);
  const { version: opened, ...typed } = await restoreInterruptedForm(context, request);
  return {
    version: opened ?? String(version),
    saved: toDraftValues(fields, company),
    typed,
    reason: state === "returned" ? reason : null,
    change: submission.baseVersion === null ? null : await describeChange(db, submission),
  };
}

/** Explains what happens to the published listing, and to the change if the listing isn't any more what it was. */
async function describeChange(
  db: Database,
  { jobId, baseVersion }: Awaited<ReturnType<typeof getOwnSubmission>>,
) {
  const job = await findCompanyJob(db, jobId);
  if (!job) return { note: "The published listing was deleted. You can send this as a new one." };
  if (!job.isOpen) return { note: messages.cannotSend };
  return getBaseVersion(job) === baseVersion
    ? { note: null }
    : {
        note: "The published listing has changed since you started. Our team compares both. To start again from the published text, discard this change.",
      };
}

const listingForm = z.object({ version: z.coerce.number().int().catch(0) });
type ListingForm = Sent<z.output<typeof listingForm>>;

function readChange({ params: { submissionId = "" }, value, values }: ListingForm) {
  return { id: submissionId, version: value.version, fields: readDraft(values) };
}

export const action = createFormActions({
  "save-listing": createFormIntent({
    schema: listingForm,
    run: (form: ListingForm) =>
      saveDraft(form.context.get(appContext).db, form.context.get(currentActor), readChange(form)),
    done: (kind) => buildSuccess(`${kindLabels[kind]} saved`),
    failed: showReasonAboveForm("We couldn't save your listing"),
  }),
  "preview-listing": createFormIntent({
    schema: listingForm,
    run: (form: ListingForm) =>
      saveComplete(
        form.context.get(appContext).db,
        form.context.get(currentActor),
        readChange(form),
      ),
    done: (_saved, { params }) => ({ data: redirect(`/post/${params.submissionId}/preview`) }),
    failed: showReasonAboveForm("Your listing isn't complete yet"),
  }),
  "discard-listing": createFormIntent({
    schema: z.object({}),
    run: ({ params: { submissionId = "" }, context }) =>
      removeSubmission(context.get(appContext).db, context.get(currentActor), submissionId),
    done: (kind) => ({
      toast: { kind: "success" as const, title: `${kindLabels[kind]} discarded` },
      data: redirect("/post/listings"),
    }),
    failed: showReasonAboveForm("We couldn't discard your listing"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Draft({ loaderData, actionData }: Route.ComponentProps) {
  const { saved, typed, version, reason, change } = loaderData;
  const noun = change ? "change" : "listing";
  const refused = actionData && "errors" in actionData ? actionData : null;
  useFocusFirstError(refused?.errors);
  const form = useRef<HTMLFormElement>(null);
  const isChanged = useCallback(
    () => form.current !== null && isJobFormChanged(new FormData(form.current), saved),
    [saved],
  );
  return (
    <Page
      width="text"
      back={<BackLink to="/post/listings">Your listings</BackLink>}
      title={title}
      intro={
        change
          ? "Designers see the published text until our team has read your change."
          : "Only your company sees this draft. It goes online after our team has read it."
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {change?.note && <p className={styles.note}>{change.note}</p>}
      {reason && (
        <p className={styles.reason}>
          <strong>Please change:</strong> {reason}
        </p>
      )}
      <Form method="post" ref={form} noValidate preventScrollReset>
        <FormAlert>{refused?.errors[""]}</FormAlert>
        <input type="hidden" name="version" value={refused?.values.version ?? version} />
        <JobFormFields
          needsContact
          values={applyTypedValues(applyTypedValues(saved, typed), refused?.values ?? {})}
          errors={refused?.errors ?? {}}
        />
        <div className={`row ${styles.buttons}`}>
          <SubmitButton intent="preview-listing" pendingLabel="Opening...">
            Preview and send
          </SubmitButton>
          <SubmitButton intent="save-listing" variant="secondary" pendingLabel="Saving...">
            Save
          </SubmitButton>
        </div>
      </Form>
      <details className={styles.discard}>
        <summary>Discard this {noun}</summary>
        <Form method="post">
          <p>
            This deletes its text. You can't undo it.
            {change && " The published listing stays as it is."}
          </p>
          <SubmitButton
            intent="discard-listing"
            variant="danger"
            size="sm"
            pendingLabel="Discarding..."
          >
            Discard the {noun}
          </SubmitButton>
        </Form>
      </details>
      <LeaveGuard
        wouldLose={isChanged}
        title="Leave without saving?"
        leave="Leave"
        stay="Keep editing"
      >
        <p>You have unsaved changes in this {noun}.</p>
      </LeaveGuard>
    </Page>
  );
}
