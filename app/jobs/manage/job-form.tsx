import { useRef } from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import type { ManageForm } from "./list-managed-jobs.server.ts";
import { JobFormFields } from "./job-form-fields.tsx";
import { useUnsavedGuard } from "./use-unsaved-guard.tsx";

const formId = "job-form";

type OpenForm = Exclude<ManageForm, { intent: "delete" }>;

/** The one form of a listing: for a new one or an old one, and for every role. */
export function JobForm({
  form,
  refused,
  closed,
}: {
  /** None: it is closed. */
  form: OpenForm | null;
  refused: FormProblems | undefined;
  /** The address without the form. */
  closed: string;
}) {
  const element = useRef<HTMLFormElement>(null);
  const question = useUnsavedGuard(element, form?.saved ?? null);
  const navigate = useNavigate();
  const isSaving = useNavigation().formMethod === "POST";
  const isNew = form?.intent !== "edit";

  function close() {
    if (isSaving) showToast({ kind: "info", title: "The job listing is being saved..." });
    else void navigate(closed, { replace: true, preventScrollReset: true });
  }

  return (
    <>
      <Dialog
        title={isNew ? "Create New Job Listing" : "Edit Job Listing"}
        open={form !== null}
        closed={closed}
        onClose={close}
        width="wide"
        submit={
          <SubmitButton form={formId} pendingLabel={isNew ? "Creating..." : "Updating..."}>
            {isNew ? "Create Job" : "Update Job"}
          </SubmitButton>
        }
      >
        {form && (
          <Form method="post" id={formId} ref={element} replace preventScrollReset noValidate>
            <FormAlert>{refused?.errors[""]}</FormAlert>
            <input type="hidden" name="intent" value={isNew ? "create-job" : "update-job"} />
            <input type="hidden" name="id" value={refused?.values.id ?? form.id} />
            <JobFormFields
              values={{ ...form.saved, ...form.typed, ...refused?.values }}
              errors={refused?.errors ?? {}}
            />
          </Form>
        )}
      </Dialog>
      {question}
    </>
  );
}
