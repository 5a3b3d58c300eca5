import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useHydrated, useRenderedByServer } from "../hydrated.ts";
import { Icon } from "../brand/icon.tsx";
import * as styles from "./field.module.css";
import * as selectStyles from "./select.module.css";

type Named = {
  label: ReactNode;
  name: string;
  /** The problem with the value, announced together with the field. */
  error?: string;
  hint?: ReactNode;
};

/** A labelled text input with a hint and an error. */
export function Field({ label, error, hint, className, ...rest }: Named & ComponentProps<"input">) {
  const { control, frame } = useField({ label, error, hint, className, id: rest.id });
  return (
    <FieldFrame {...frame}>
      <input type="text" className={styles.input} {...rest} {...control} />
    </FieldFrame>
  );
}

/** The field for an account's email address. */
export function EmailField(rest: Partial<Named> & ComponentProps<"input">) {
  return (
    <Field label="Email" name="email" type="email" autoComplete="username" required {...rest} />
  );
}

/** A labelled text area. It grows with its text where the browser can. */
export function TextAreaField({
  label,
  error,
  hint,
  className,
  defaultValue,
  ...rest
}: Named & Omit<ComponentProps<"textarea">, "defaultValue"> & { defaultValue?: string }) {
  const { control, frame } = useField({ label, error, hint, className, id: rest.id });
  return (
    <FieldFrame {...frame}>
      <textarea
        rows={5}
        className={`${styles.input} ${styles.inputArea}`}
        // React would restore a string over text typed before hydration. An array renders the same.
        defaultValue={defaultValue === undefined ? undefined : [defaultValue]}
        {...rest}
        {...control}
      />
    </FieldFrame>
  );
}

export type Option = { value: string; label: string };

/** A labelled native select. */
export function SelectField({
  label,
  error,
  hint,
  className,
  options,
  ...rest
}: Named & ComponentProps<"select"> & { options: readonly Option[] }) {
  const { control, frame } = useField({ label, error, hint, className, id: rest.id });
  return (
    <FieldFrame {...frame}>
      <span className={selectStyles.inputSelect}>
        <select className={styles.input} {...rest} {...control}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </FieldFrame>
  );
}

/** A checkbox whose label may contain links. */
export function CheckboxField({
  label,
  error,
  hint,
  className,
  ...rest
}: Named & ComponentProps<"input">) {
  const { control, frame } = useField({ label, error, hint, className, id: rest.id });
  return (
    <div className={joinClasses(styles.field, className)}>
      <label className={styles.tick} htmlFor={frame.id}>
        <input type="checkbox" {...rest} {...control} />
        <span>{label}</span>
      </label>
      <FieldNotes {...frame} />
    </div>
  );
}

/** A password input. With scripts, a button shows the password. */
export function PasswordField({
  label,
  error,
  hint,
  className,
  ...rest
}: Named & ComponentProps<"input">) {
  const { control, frame } = useField({ label, error, hint, className, id: rest.id });
  const hydrated = useHydrated();
  const [isVisible, setVisible] = useState(false);
  return (
    <FieldFrame {...frame}>
      <span className={styles.inputPassword}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          className={styles.input}
          {...rest}
          {...control}
          type={isVisible ? "text" : "password"}
        />
        {hydrated && (
          <button type="button" aria-controls={control.id} onClick={() => setVisible(!isVisible)}>
            <Icon name={isVisible ? "eye-off" : "eye"} />
            <span className="sr-only">{isVisible ? "Hide password" : "Show password"}</span>
          </button>
        )}
      </span>
    </FieldFrame>
  );
}

/** The problem with a form as a whole. It renders nothing without one. */
export function FormAlert({ children }: { children?: ReactNode }) {
  if (!children) return null;
  return (
    <div className={styles.formAlert} role="alert" tabIndex={-1}>
      <Icon name="error" />
      <div>{children}</div>
    </div>
  );
}

type FrameProps = {
  id: string;
  label: ReactNode;
  error?: string;
  hint?: ReactNode;
  className?: string;
};

function FieldFrame({ children, ...frame }: FrameProps & { children: ReactNode }) {
  return (
    <div className={joinClasses(styles.field, frame.className)}>
      <label className={styles.label} htmlFor={frame.id}>
        {frame.label}
      </label>
      {children}
      <FieldNotes {...frame} />
    </div>
  );
}

function FieldNotes({ id, hint, error }: FrameProps) {
  return (
    <>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <Icon name="error" />
          {error}
        </p>
      )}
    </>
  );
}

function useField({ id, ...rest }: Omit<FrameProps, "id"> & { id?: string }) {
  const generated = useId();
  const frame: FrameProps = { ...rest, id: id ?? generated };
  const described = [rest.hint && `${frame.id}-hint`, rest.error && `${frame.id}-error`];
  const control = {
    id: frame.id,
    "aria-invalid": rest.error ? true : undefined,
    "aria-describedby": described.filter(Boolean).join(" ") || undefined,
  };
  return { control, frame };
}

function joinClasses(...names: (string | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

/**
 * Moves the focus to the first field with an error after a refused submit, or else to the form's alert. It doesn't if
 * the page came with the error or the person has moved to another field since, since they may be typing.
 */
export function useFocusFirstError(errors: Record<string, string> | undefined): void {
  const rendered = useRef(useRenderedByServer() ? errors : undefined);
  const hasMovedOn = useFieldActivity();
  useEffect(() => {
    if (errors === rendered.current) return;
    rendered.current = errors;
    if (hasMovedOn.current || !errors || Object.keys(errors).length === 0) return;
    const field = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    const alert = document.querySelector<HTMLElement>(`main .${styles.formAlert}`);
    (field ?? alert)?.focus();
  }, [errors, hasMovedOn]);
}

/** Tracks whether the person focused a field or typed since a form was sent. */
function useFieldActivity(): RefObject<boolean> {
  const hasMovedOn = useRef(false);
  useEffect(() => {
    const onSent = () => {
      hasMovedOn.current = false;
    };
    const onField = ({ target }: Event) => {
      if ((target as Element).matches("input, select, textarea")) hasMovedOn.current = true;
    };
    document.addEventListener("submit", onSent, true);
    for (const name of ["focusin", "input"]) document.addEventListener(name, onField);
    return () => {
      document.removeEventListener("submit", onSent, true);
      for (const name of ["focusin", "input"]) document.removeEventListener(name, onField);
    };
  }, []);
  return hasMovedOn;
}
