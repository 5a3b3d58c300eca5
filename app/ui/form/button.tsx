import type { ComponentProps } from "react";
import { Link, useFormAction, useNavigation } from "react-router";

type Look = {
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "md" | "sm";
};

export type ButtonProps = ComponentProps<"button"> & Look;

/** A button that does something on this page; `type` is "button" unless said otherwise. */
export function Button({ variant, size, className, ...rest }: ButtonProps) {
  return <button type="button" className={looks({ variant, size }, className)} {...rest} />;
}

/** A link that looks like a button, for the next step of a screen. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link className={looks({ variant, size }, className)} {...rest} />;
}

/** The button that sends a form. While the form is under way it is disabled and says so. */
export function SubmitButton({
  children,
  pendingLabel,
  pending,
  disabled,
  ...rest
}: ButtonProps & {
  pendingLabel: string;
  /** Without it, the button watches the navigation that its own form causes. */
  pending?: boolean;
}) {
  const ownFormPending = useOwnFormPending(rest);
  const busy = pending ?? ownFormPending;
  return (
    <Button type="submit" disabled={busy || disabled} aria-busy={busy || undefined} {...rest}>
      <span aria-live="polite">{busy ? pendingLabel : children}</span>
    </Button>
  );
}

/** Of several buttons in one form, only the one that was pressed is under way. */
function useOwnFormPending({ formAction, name, value }: ButtonProps): boolean {
  const navigation = useNavigation();
  const routeAction = useFormAction();
  const action = typeof formAction === "string" ? formAction : routeAction;
  if (navigation.formAction !== action) return false;
  return !name || navigation.formData?.get(name) === String(value);
}

function looks({ variant = "primary", size = "md" }: Look, className?: string): string {
  return ["button", `button-${variant}`, `button-${size}`, className].filter(Boolean).join(" ");
}
