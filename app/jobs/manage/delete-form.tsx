import { Form, useNavigate } from "react-router";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import type { ManageForm } from "./list-managed-jobs.server.ts";

const formId = "delete-job";

/** Asks once before a listing is deleted, and names it. */
export function DeleteForm({
  form,
  closed,
}: {
  form: Extract<ManageForm, { intent: "delete" }> | null;
  closed: string;
}) {
  const navigate = useNavigate();
  return (
    <Dialog
      title="Delete this job listing?"
      open={form !== null}
      closed={closed}
      onClose={() => void navigate(closed, { replace: true, preventScrollReset: true })}
      leave="Keep it"
      submit={
        <SubmitButton form={formId} variant="danger" pendingLabel="Deleting...">
          Delete for good
        </SubmitButton>
      }
    >
      {form && (
        <Form method="post" id={formId} replace preventScrollReset>
          <input type="hidden" name="intent" value="delete-job" />
          <input type="hidden" name="id" value={form.id} />
          <p>
            “{form.title}” at {form.company} will be gone, and its address with it.
            {!form.isArchived &&
              " To take it off the public board for a while, archive it instead."}
          </p>
        </Form>
      )}
    </Dialog>
  );
}
