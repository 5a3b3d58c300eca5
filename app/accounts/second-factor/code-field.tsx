import { Field } from "../../ui/form/field.tsx";

/** The field for an authenticator app's code, or for a recovery code. */
export function CodeField({ recovery = false, error }: { recovery?: boolean; error?: string }) {
  return recovery ? (
    <Field
      label="Recovery code"
      name="code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={60}
      hint="Each code works once."
      required
      error={error}
    />
  ) : (
    <Field
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={60}
      hint="6 digits. It changes every 30 seconds."
      required
      error={error}
    />
  );
}
