import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { useFormAction, useNavigation } from "react-router";
import { Link } from "../link.tsx";
import * as styles from "./button.module.css";

const variants = {
  primary: styles.primary,
  secondary: styles.secondary,
  ghost: styles.ghost,
  danger: styles.danger,
};

type Look = {
  variant?: keyof typeof variants;
  size?: "md" | "sm";
};

export type ButtonProps = ComponentProps<"button"> & Look;

/** A button for an action on this page. Its default `type` is "button". */
export function Button({ variant, size, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={buildButtonClass({ variant, size }, className)} {...rest} />
  );
}

/** A link that looks like a button, for the next step. */
export function ButtonLink({
  variant,
  size,
  className,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link className={buildButtonClass({ variant, size }, className)} {...rest} />;
}

/**
 * The button that sends a form. It is disabled while the form is sent. The second click of a double click does
 * nothing, since it may come before that is rendered.
 */
export function SubmitButton({
  pending,
  ...rest
}: PendingButtonProps & {
  /** By default, the button watches the navigation that its form causes. */
  pending?: boolean;
}) {
  return pending === undefined ? (
    <WatchingButton {...rest} />
  ) : (
    <PendingButton {...rest} pending={pending} />
  );
}

type PendingButtonProps = ButtonProps & {
  pendingLabel: string;
  /** The intent, for a screen with several forms or a form with several buttons. */
  intent?: string;
};

function WatchingButton(props: PendingButtonProps) {
  return <PendingButton {...props} pending={useOwnFormPending(props)} />;
}

function PendingButton({
  children,
  pendingLabel,
  pending,
  disabled,
  intent,
  ...rest
}: PendingButtonProps & { pending: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    // A disabled button loses the focus.
    if (pending) hadFocus.current = document.activeElement === button.current;
    else if (hadFocus.current && document.activeElement === document.body)
      button.current?.focus({ preventScroll: true });
  }, [pending]);
  return (
    <Button
      ref={button}
      type="submit"
      name={intent && "intent"}
      value={intent}
      disabled={pending || disabled}
      aria-busy={pending || undefined}
      onClick={(event) => event.detail > 1 && event.preventDefault()}
      {...rest}
    >
      <span aria-live="polite">{pending ? pendingLabel : children}</span>
    </Button>
  );
}

/** Checks whether this button's form is being sent. In a form with several buttons, only the pressed one is pending. */
function useOwnFormPending({ formAction, intent, name, value }: PendingButtonProps): boolean {
  const navigation = useNavigation();
  const routeAction = useFormAction();
  const action = typeof formAction === "string" ? formAction : routeAction;
  if (navigation.formAction !== action) return false;
  if (intent) return navigation.formData?.get("intent") === intent;
  return !name || navigation.formData?.get(name) === String(value);
}

function buildButtonClass({ variant = "primary", size = "md" }: Look, className?: string): string {
  return [styles.button, variants[variant], size === "sm" && styles.sm, className]
    .filter(Boolean)
    .join(" ");
}
