import type { ReactNode } from "react";
import { type Drawing, Drawn } from "../brand/drawings.tsx";

/** A place with nothing in it yet: a drawing made for it, what it is, and what to do next. */
export function EmptyState({
  title,
  children,
  action,
  drawing = "map",
  level = 2,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  drawing?: Drawing;
  level?: 2 | 3 | 4;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className="empty">
      <Drawn name={drawing} />
      <Heading>{title}</Heading>
      {children && <div className="empty-words">{children}</div>}
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}
