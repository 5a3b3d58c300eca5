import { useCallback, useRef } from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { isPosting } from "../../ui/navigations.ts";
import type { ManageForm } from "./job-management.server.ts";
import { isJobFormChanged, JobFormFields } from "./job-form-fields.tsx";
import * as styles from "./manage.module.css";
import { applyTypedValues } from "./rules.ts";

const formId = "job-form";

type OpenForm = Exclude<ManageForm, { intent: "delete" }>;

/** The form for new and existing listings, for every role. */
export function JobForm({
  form,
  refused,
  closed,
}: {
  /** Null while it is closed. */
  form: OpenForm | null;
  refused: FormProblems | undefined;
  /** The address without the form. */
  closed: OwnAddress;
}) {
  const element = useRef<HTMLFormElement>(null);
  const saved = form?.saved ?? null;
  const discarded = useRef<unknown>(null);
  const isChanged = useCallback(
    () =>
      saved !== null &&
      element.current !== null &&
      discarded.current !== saved &&
      isJobFormChanged(new FormData(element.current), saved),
    [saved],
  );
  const navigate = useNavigate();
  const isSaving = useNavigation().formMethod === "POST";
  const isNew = form?.intent !== "edit";

  function close(isDiscarding: boolean) {
    // `isPosting` knows before the next key press. The router's state arrives with a later render.
    if (isSaving || isPosting())
      return showToast({ kind: "info", title: "Saving the job listing..." });
    if (isDiscarding) discarded.current = saved;
    return void navigate(closed, { replace: true, preventScrollReset: true });
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
            {form.warning && <p className={styles.warning}>{form.warning}</p>}
            <input type="hidden" name="intent" value={isNew ? "create-job" : "update-job"} />
            <input type="hidden" name="id" value={refused?.values.id ?? form.id} />
            {form.version && (
              <input type="hidden" name="version" value={refused?.values.version ?? form.version} />
            )}
            <JobFormFields
              values={applyTypedValues(
                applyTypedValues(form.saved, form.typed),
                refused?.values ?? {},
              )}
              errors={refused?.errors ?? {}}
            />
          </Form>
        )}
      </Dialog>
      <LeaveGuard
        wouldLose={isChanged}
        title="Discard your changes?"
        leave="Discard changes"
        stay="Keep editing"
      >
        <p>You have unsaved changes in this job listing.</p>
      </LeaveGuard>
    </>
  );
}
