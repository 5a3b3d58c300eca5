import type { ReactNode } from "react";

/** A sheet with a hairline around it, for a thing beside others of its kind. */
export function Card({
  title,
  subtitle,
  children,
  footer,
  as: Element = "section",
  tone = "plain",
  className,
}: {
  title?: ReactNode;
  subtitle?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  as?: "section" | "article" | "div" | "li";
  /** marked: the one card of a row that stands out. */
  tone?: "plain" | "marked";
  className?: string;
}) {
  return (
    <Element
      className={["card", tone === "marked" && "card-marked", className].filter(Boolean).join(" ")}
    >
      {(title || subtitle) && (
        <header className="card-head">
          {title && <h2>{title}</h2>}
          {subtitle && <p>{subtitle}</p>}
        </header>
      )}
      {children && <div className="card-body">{children}</div>}
      {footer && <footer className="card-foot">{footer}</footer>}
    </Element>
  );
}

export type Tone = "neutral" | "outline" | "info" | "warning" | "success" | "danger";

/** A word or two about the state of a thing. Its mark differs by tone, not its colour alone. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
