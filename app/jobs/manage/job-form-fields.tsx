import { type ComponentProps, useState } from "react";
import * as columnsStyles from "../../ui/form/field-columns.module.css";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { describeContact } from "../contact/parse-contact.ts";
import { jobTypes } from "../rules.ts";
import { DetailsFields } from "./details/details-fields.tsx";
import { FilterReach } from "./details/filter-reach.tsx";
import { LocationField } from "./location-field.tsx";
import * as styles from "./manage.module.css";
import { type JobValues, maxLengths } from "./rules.ts";

/** The fields of a listing. An asterisk marks the required ones. */
export function JobFormFields({
  values,
  errors,
  needsContact = false,
}: {
  values: JobValues;
  errors: Record<string, string>;
  /** True for a company's own listing: its name is fixed, and a contact is required. */
  needsContact?: boolean;
}) {
  const mark = needsContact ? " *" : "";
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
        <Field label="Company *" {...of("company")} required readOnly={needsContact} />
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
          <Field
            label={`POC name${mark}`}
            {...of("pocName")}
            required={needsContact}
            autoComplete="off"
          />
          <ContactField
            label={`POC contact${mark}`}
            {...of("pocContact")}
            required={needsContact}
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

type ContactFieldProps = Pick<
  ComponentProps<typeof Field>,
  "label" | "name" | "maxLength" | "error" | "required"
> & {
  defaultValue?: string;
};

/** Checks whether a listing's form differs from its saved values. */
export function isJobFormChanged(typed: FormData, saved: JobValues): boolean {
  return Object.entries(saved).some(([name, value]) => {
    // An unticked checkbox is not in the form.
    const current = typed.get(name) ?? "";
    return typeof current === "string" && normalizeLineEnds(current) !== normalizeLineEnds(value);
  });
}

function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
