import type { ReactNode } from "react";

export type Tone = "neutral" | "outline" | "info" | "warning" | "success" | "danger";

/** A word or two about the state of a thing. Its mark differs by tone, not its colour alone. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
