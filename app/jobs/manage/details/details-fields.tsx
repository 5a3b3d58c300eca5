import { useEffect, useId, useRef, useState } from "react";
import { Icon } from "../../../ui/brand/icon.tsx";
import { CheckboxField, Field, SelectField } from "../../../ui/form/field.tsx";
import { disciplines, payPeriods, skills, testTasks, workModes } from "../../details.ts";
import { payCurrencies } from "../../pay.ts";
import {
  blankDetails,
  detailNames,
  detailsMarker,
  type DetailName,
  type DetailValues,
  getSkillName,
  maxDetailLengths,
  skillGroups,
} from "./rules.ts";
import { day } from "../../../platform/clock.ts";
import { maxClosing } from "../../check-rules.ts";
import { detailLimits } from "../../detail-limits.ts";
import * as fieldStyles from "../../../ui/form/field.module.css";
import * as styles from "./details.module.css";
import * as columnsStyles from "../../../ui/form/field-columns.module.css";

type FieldsProps = { values: DetailValues & { closesOn: string }; errors: Record<string, string> };

/** The details of a listing, closed unless it has any. */
export function DetailsFields({ values, errors }: FieldsProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const [isOpenAtFirst] = useState(
    hasDetailError(errors) ||
      values.closesOn !== "" ||
      detailNames.some((name) => values[name] !== blankDetails[name]),
  );
  useEffect(() => {
    if (element.current && hasDetailError(errors)) element.current.open = true;
  }, [errors]);
  return (
    <details ref={element} className={styles.jobDetails} open={isOpenAtFirst || undefined}>
      <summary>Details for filters</summary>
      <p className={`${fieldStyles.hint} mb-4`}>
        People filter the board by these. Leave out what the company hasn't stated.
      </p>
      <input type="hidden" name={detailsMarker} value="yes" />
      <WorkFields values={values} errors={errors} />
      <SkillFields values={values} error={errors.skills} />
      <PayFields values={values} errors={errors} />
      <StepFields values={values} errors={errors} />
      <Field
        label="Closing date"
        name="closesOn"
        type="date"
        defaultValue={values.closesOn}
        error={errors.closesOn}
        className={styles.closing}
        hint={`The last day to apply, at most ${maxClosing / day} days ahead. The listing leaves the board after it.`}
      />
    </details>
  );
}

function hasDetailError(errors: Record<string, string>): boolean {
  return [...detailNames, "skills", "closesOn"].some((name) => errors[name]);
}

function buildFieldProps({ values, errors }: FieldsProps, name: DetailName, maxLength?: number) {
  return { name, defaultValue: values[name], error: errors[name], maxLength };
}

const unstated = { value: "", label: "Not stated" };

function WorkFields(props: FieldsProps) {
  return (
    <div className={columnsStyles.fieldColumns}>
      <SelectField
        label="Discipline"
        {...buildFieldProps(props, "discipline")}
        options={[unstated, ...disciplines]}
      />
      <SelectField
        label="Work mode"
        {...buildFieldProps(props, "workMode")}
        options={[unstated, ...workModes]}
      />
      <Field
        label="Places of work"
        {...buildFieldProps(props, "places", maxDetailLengths.places)}
        autoComplete="off"
        className={columnsStyles.wide}
        hint="Up to 5 cities, states or countries, such as “Pune, Bengaluru”."
      />
      <div className={`${styles.remote} ${columnsStyles.wide}`}>
        <Field
          label="Where applicants may live"
          {...buildFieldProps(props, "applicantPlaces", maxDetailLengths.places)}
          autoComplete="off"
          hint={`For remote work: up to ${detailLimits.places} cities, states or countries, such as “India”.`}
        />
        <CheckboxField
          label="Anywhere"
          name="anywhere"
          defaultChecked={props.values.anywhere !== ""}
          className={styles.anywhere}
        />
      </div>
      <Field
        label="Experience from (years)"
        {...buildFieldProps(props, "experienceMin", maxDetailLengths.count)}
        inputMode="numeric"
        autoComplete="off"
      />
      <Field
        label="Experience to (years)"
        {...buildFieldProps(props, "experienceMax", maxDetailLengths.count)}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
  );
}

/** Checkboxes in closed groups, so that people can skip them with the keyboard. */
function SkillFields({ values, error }: { values: DetailValues; error: string | undefined }) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}>
      <legend>Skills</legend>
      <p className={fieldStyles.hint} id={`${id}-hint`}>
        Up to 10.
      </p>
      {error && (
        <p className={`${fieldStyles.error} ${styles.skillsError}`} id={`${id}-error`}>
          <Icon name="error" />
          {error}
        </p>
      )}
      {skillGroups.map((group) => (
        <SkillGroup key={group.label} group={group} values={values} isInvalid={Boolean(error)} />
      ))}
    </fieldset>
  );
}

function SkillGroup({
  group,
  values,
  isInvalid,
}: {
  group: (typeof skillGroups)[number];
  values: DetailValues;
  isInvalid: boolean;
}) {
  const isTicked = (value: (typeof group.values)[number]) => values[getSkillName(value)] !== "";
  const [isOpenAtFirst] = useState(group.values.some(isTicked));
  return (
    <details open={isOpenAtFirst || undefined}>
      <summary>{group.label}</summary>
      <div className={styles.skills}>
        {group.values.map((value) => (
          <label key={value} className={fieldStyles.tick}>
            <input
              type="checkbox"
              name={getSkillName(value)}
              defaultChecked={isTicked(value)}
              aria-invalid={(isInvalid && isTicked(value)) || undefined}
            />
            <span>{skills.find((skill) => skill.value === value)?.label}</span>
          </label>
        ))}
      </div>
    </details>
  );
}

const periodLabels = {
  year: "Year",
  month: "Month",
  week: "Week",
  day: "Day",
  hour: "Hour",
  project: "Project",
} as const;

function PayFields(props: FieldsProps) {
  const { payCurrency } = props.values;
  const currencies: { value: string; label: string }[] = payCurrencies.map(({ code, label }) => ({
    value: code,
    label,
  }));
  if (!currencies.some(({ value }) => value === payCurrency))
    currencies.push({ value: payCurrency, label: payCurrency });
  const amount = { maxLength: maxDetailLengths.pay, autoComplete: "off" };
  return (
    <fieldset>
      <legend>Pay</legend>
      <p className={`${fieldStyles.hint} ${styles.groupHint}`}>
        Amounts such as 12,00,000 or 12 lakh. For one fixed amount, enter it in both “Pay from” and
        “Pay to”. Enter 0 for an unpaid internship.
      </p>
      <div className={columnsStyles.fieldColumns}>
        <Field label="Pay from" {...buildFieldProps(props, "payMin")} {...amount} />
        <Field label="Pay to" {...buildFieldProps(props, "payMax")} {...amount} />
        <SelectField
          label="Pay period"
          {...buildFieldProps(props, "payPeriod")}
          options={[
            { value: "", label: "Not stated" },
            ...payPeriods.map((period) => ({ value: period, label: periodLabels[period] })),
          ]}
        />
        <SelectField
          label="Currency"
          {...buildFieldProps(props, "payCurrency")}
          options={currencies}
        />
        <Field
          label="Variable pay"
          {...buildFieldProps(props, "payVariable")}
          {...amount}
          hint="Paid on top, per period."
        />
      </div>
    </fieldset>
  );
}

/** The steps from an application to a job. */
function StepFields(props: FieldsProps) {
  const count = {
    maxLength: maxDetailLengths.count,
    inputMode: "numeric",
    autoComplete: "off",
  } as const;
  return (
    <fieldset>
      <legend>Hiring steps</legend>
      <p className={`${fieldStyles.hint} ${styles.groupHint}`}>
        These help people decide whether to apply.
      </p>
      <div className={columnsStyles.fieldColumns}>
        <Field label="Rounds of interviews" {...buildFieldProps(props, "rounds")} {...count} />
        <Field
          label="Answer within (days)"
          {...buildFieldProps(props, "answerDays")}
          {...count}
          hint="The company answers each application by then."
        />
        <SelectField
          label="Test task"
          {...buildFieldProps(props, "testTask")}
          options={[unstated, ...testTasks]}
        />
        <Field
          label="Hours for the test task"
          {...buildFieldProps(props, "testTaskHours")}
          {...count}
        />
      </div>
    </fieldset>
  );
}
