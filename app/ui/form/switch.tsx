import type { ComponentProps, ReactNode } from "react";

/** A checkbox that takes effect at once, drawn as a switch. */
export function Switch({
  label,
  hideLabel = false,
  ...rest
}: Omit<ComponentProps<"input">, "type"> & {
  label: ReactNode;
  /** For tables, whose column already says what is switched; still read out. */
  hideLabel?: boolean;
}) {
  return (
    <label className="switch">
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox states it itself */}
      <input type="checkbox" role="switch" {...rest} />
      <span className={hideLabel ? "sr-only" : undefined}>{label}</span>
    </label>
  );
}
