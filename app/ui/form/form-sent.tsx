import { type ReactNode, useEffect, useRef } from "react";
import { useRenderedByServer } from "../hydrated.ts";

/** Replaces a form that was sent. It takes the focus, which would be lost with the form's button. */
export function FormSent({ className, children }: { className?: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const isServerRendered = useRenderedByServer();
  useEffect(() => {
    if (!isServerRendered) element.current?.focus();
  }, [isServerRendered]);
  return (
    <div ref={element} className={className} tabIndex={-1}>
      {children}
    </div>
  );
}
