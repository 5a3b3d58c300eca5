import { type ComponentProps, useEffect, useId, useState } from "react";
import { Field } from "../../ui/form/field.tsx";
import { formatBytes } from "../rules.ts";
import * as styles from "./file-field.module.css";

/**
 * A field for one file of a form. With scripts, the chosen file's full name and its size are below the button, since
 * browsers cut names. Without scripts, the browser shows the name.
 */
export function FileField({ hint, ...rest }: ComponentProps<typeof Field>) {
  const id = useId();
  const [chosen, setChosen] = useState<File>();
  useEffect(() => {
    // A file may be chosen before the scripts run.
    const input = document.getElementById(id);
    if (input instanceof HTMLInputElement) setChosen(input.files?.[0]);
  }, [id]);
  return (
    <Field
      {...rest}
      id={id}
      type="file"
      className={styles.file}
      data-chosen={chosen && ""}
      onChange={({ target }) => setChosen(target.files?.[0])}
      hint={
        <>
          {chosen && (
            <span className={styles.chosen}>
              {chosen.name} <span>{formatBytes(chosen.size)}</span>
            </span>
          )}
          {hint}
        </>
      }
    />
  );
}
