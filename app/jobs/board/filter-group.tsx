import { type ReactNode, useState } from "react";
import * as styles from "./board.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

/** A group of the filters, folded unless it is in use. */
export function FilterGroup({
  label,
  count = 0,
  isOpen = false,
  children,
}: {
  label: string;
  /** The number of chosen values. */
  count?: number;
  /** Opens the group even without a choice. */
  isOpen?: boolean;
  children: ReactNode;
}) {
  // Only at first: a group that loses its last choice stays open.
  const [isOpenAtFirst] = useState(isOpen || count > 0);
  return (
    <details className={styles.group} open={isOpenAtFirst}>
      <summary>
        {label}
        {count > 0 && (
          <span className={styles.count}>
            {count}
            <span className="sr-only"> chosen</span>
          </span>
        )}
      </summary>
      <fieldset>
        <legend className="sr-only">{label}</legend>
        {children}
      </fieldset>
    </details>
  );
}

/** The values of a filter, with the number of jobs that each finds. */
export function Choices({
  type,
  name,
  options,
  chosen,
  onChange,
}: {
  type: "checkbox" | "radio";
  name: string;
  options: readonly { value: string; label: string; jobs?: string }[];
  chosen: readonly string[];
  onChange(): void;
}) {
  return options.map(({ value, label, jobs }) => (
    <label key={value} className={fieldStyles.tick}>
      <input
        type={type}
        name={name}
        value={value}
        checked={chosen.includes(value)}
        onChange={onChange}
      />
      <span className={styles.option}>{label}</span>
      {jobs && (
        <span className={styles.jobs}>
          {jobs}
          <span className="sr-only"> found</span>
        </span>
      )}
    </label>
  ));
}
