import type { PageBox } from "../../reviews/black-out.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Field } from "../../ui/form/field.tsx";
import {
  type BoxField,
  boxFields,
  formatBoxField,
  getBoxFieldName,
  withBoxField,
} from "./boxes.ts";
import * as styles from "./black-out.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";

const labels: Record<BoxField, string> = {
  page: "Page",
  left: "Left (%)",
  top: "Top (%)",
  width: "Width (%)",
  height: "Height (%)",
};

/** Each submit without scripts can add as many boxes. */
const emptyRows = 3;

/** Renders the boxes as numbers, which are the fields that the form sends. */
export function BoxRows({
  boxes,
  values,
  onChange,
}: {
  boxes: PageBox[];
  /** The texts of a refused form. */
  values: Record<string, string>;
  onChange(boxes: PageBox[]): void;
}) {
  return (
    <details className={styles.numbers} open={Object.keys(values).length > 0}>
      <summary>Boxes as numbers ({boxes.length})</summary>
      <p>
        Left and top are the distances from the edges of the page. All sizes are in percent of the
        page.
      </p>
      {boxes.length === 0 && <p className="needs-scripts">There are no boxes yet.</p>}
      {boxes.map((box, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- boxes have no id and keep their order
        <fieldset key={index}>
          <legend>Box {index + 1}</legend>
          {boxFields.map((field) => {
            const value = formatBoxField(box, field);
            const name = getBoxFieldName(field, index);
            return (
              <Field
                // A drawn change replaces what the field shows.
                key={`${field} ${value}`}
                label={labels[field]}
                name={name}
                inputMode="decimal"
                defaultValue={value === "NaN" ? values[name] : value}
                onBlur={({ target }) => {
                  if (target.value === value) return;
                  const changed = withBoxField(box, field, target.value);
                  if (isFinite(changed)) onChange(boxes.with(index, changed));
                }}
              />
            );
          })}
          <button
            type="button"
            className={`${buttonStyles.button} ${buttonStyles.ghost} ${buttonStyles.sm} needs-scripts`}
            onClick={() => onChange(boxes.toSpliced(index, 1))}
          >
            <Icon name="close" />
            Remove<span className="sr-only"> box {index + 1}</span>
          </button>
        </fieldset>
      ))}
      <noscript>
        <p>To remove a box, empty its width and height.</p>
        {Array.from({ length: emptyRows }, (_, more) => (
          <fieldset key={more}>
            <legend>Box {boxes.length + more + 1}</legend>
            {boxFields.map((field) => (
              <Field
                key={field}
                label={labels[field]}
                name={getBoxFieldName(field, boxes.length + more)}
                inputMode="decimal"
              />
            ))}
          </fieldset>
        ))}
      </noscript>
    </details>
  );
}

function isFinite(box: PageBox): boolean {
  return Object.values(box).every(Number.isFinite);
}
