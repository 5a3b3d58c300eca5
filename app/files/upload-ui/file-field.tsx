import { type ComponentProps, useCallback, useState } from "react";
import { Field } from "../../ui/form/field.tsx";
import { formatBytes } from "../rules.ts";
import * as styles from "./file-field.module.css";

/**
 * A field for one file of a form. With scripts, the chosen file's full name and its size are below the button, since
 * browsers cut names. Without scripts, the browser shows the name.
 */
export function FileField({ hint, ...rest }: ComponentProps<typeof Field>) {
  const [chosen, setChosen] = useState<File>();
  // A file may be chosen before the scripts run.
  const readEarlyChoice = useCallback(
    (input: HTMLInputElement | null) => setChosen((current) => input?.files?.[0] ?? current),
    [],
  );
  return (
    <Field
      {...rest}
      ref={readEarlyChoice}
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
