import { type ComponentProps, useCallback, useRef, useState } from "react";
import { Form, useNavigate, useNavigation } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { isPosting } from "../../ui/navigations.ts";
import { describeContact } from "../contact/parse-contact.ts";
import { jobTypes } from "../rules.ts";
import type { ManageForm } from "./job-management.server.ts";
import { DetailsFields } from "./details/details-fields.tsx";
import { FilterReach } from "./details/filter-reach.tsx";
import { LocationField } from "./location-field.tsx";
import { applyTypedValues, type JobValues, maxLengths } from "./rules.ts";
import * as styles from "./manage.module.css";
import * as columnsStyles from "../../ui/form/field-columns.module.css";

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

/** The fields of a listing. An asterisk marks the required ones. */
function JobFormFields({ values, errors }: { values: JobValues; errors: Record<string, string> }) {
  const of = (name: keyof typeof maxLengths) => ({
    name,
    defaultValue: values[name],
    maxLength: maxLengths[name],
    error: errors[name],
  });
  return (
    <>
      <p className="mb-4 text-sm text-ink-faint">Fields marked * are required.</p>
      <div className={columnsStyles.fieldColumns}>
        <Field label="Job title *" {...of("title")} required className={columnsStyles.wide} />
        <Field label="Company *" {...of("company")} required />
        <LocationField {...of("location")} required />
        <SelectField
          label="Job type *"
          name="jobType"
          required
          defaultValue={values.jobType}
          error={errors.jobType}
          options={jobTypes.map((type) => ({ value: type, label: type }))}
        />
        <Field label="Compensation" {...of("compensation")} placeholder="₹12–18 LPA" />
        <TextAreaField
          label="Brief summary *"
          {...of("description")}
          required
          rows={3}
          className={columnsStyles.wide}
          hint="Two or three sentences for the public board."
        />
        <TextAreaField
          label="Detailed description *"
          {...of("largeDescription")}
          required
          rows={8}
          className={columnsStyles.wide}
          hint="The work, the team and who you're looking for. Line breaks are preserved."
        />
      </div>
      <fieldset className={styles.apply}>
        <legend>How to apply</legend>
        <div className={columnsStyles.fieldColumns}>
          <Field label="POC name" {...of("pocName")} autoComplete="off" />
          <ContactField {...of("pocContact")} />
          <Field
            label="Portal application link"
            {...of("portalApplicationLink")}
            type="url"
            placeholder="https://"
          />
          <Field
            label="Direct application link"
            {...of("directApplicationLink")}
            type="url"
            placeholder="https://"
          />
        </div>
      </fieldset>
      <FilterReach values={values} />
      <DetailsFields values={values} errors={errors} />
    </>
  );
}

/** Free text, with a hint that previews its links. */
function ContactField({ defaultValue = "", ...rest }: ContactFieldProps) {
  const [typed, setTyped] = useState(defaultValue);
  return (
    <Field
      label="POC contact"
      {...rest}
      defaultValue={defaultValue}
      onChange={(event) => setTyped(event.target.value)}
      autoComplete="off"
      hint={
        <>
          Email addresses, phone numbers or a link. Only signed-in people can see it.
          <span className="block wrap-anywhere">{describeContact(typed)}</span>
        </>
      }
    />
  );
}

type ContactFieldProps = Pick<ComponentProps<typeof Field>, "name" | "maxLength" | "error"> & {
  defaultValue?: string;
};

function isJobFormChanged(typed: FormData, saved: JobValues): boolean {
  return Object.entries(saved).some(([name, value]) => {
    // An unticked checkbox is not in the form.
    const current = typed.get(name) ?? "";
    return typeof current === "string" && normalizeLineEnds(current) !== normalizeLineEnds(value);
  });
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
