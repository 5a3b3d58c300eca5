import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { jobTypes } from "../rules.ts";
import { type JobValues, longest } from "./rules.ts";

/** The fields of a listing; an asterisk marks what cannot be left out. */
export function JobFormFields({
  values,
  errors,
}: {
  values: JobValues;
  errors: Record<string, string>;
}) {
  const of = (name: keyof typeof longest) => ({
    name,
    defaultValue: values[name],
    maxLength: longest[name],
    error: errors[name],
  });
  return (
    <>
      <p className="mb-4 text-sm text-ink-faint">Fields marked with * cannot be left out.</p>
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <Field label="Job title *" {...of("title")} required className="sm:col-span-2" />
        <Field label="Company *" {...of("company")} required />
        <Field label="Location *" {...of("location")} required />
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
          className="sm:col-span-2"
          hint="Two or three sentences: the cards of the public board show them."
        />
        <TextAreaField
          label="Detailed description *"
          {...of("largeDescription")}
          required
          rows={8}
          className="sm:col-span-2"
          hint="The work, the team, what you look for. Line breaks stay."
        />
      </div>
      <fieldset className="mt-6 border-t border-line pt-4">
        <legend className="float-start mb-3 w-full font-semibold">How to apply</legend>
        <div className="clear-both grid gap-x-5 gap-y-4 sm:grid-cols-2">
          <Field label="Contact person" {...of("pocName")} autoComplete="off" />
          <Field
            label="Their contact"
            {...of("pocContact")}
            autoComplete="off"
            hint="An e-mail address, a phone number or a link; only signed-in people see it."
          />
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
    </>
  );
}
