import type { ReactNode } from "react";

/** A bordered sheet for one of several similar things. */
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
  /** "marked" highlights one card of a row. */
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

/** A word or two about a state. Each tone has its own mark too, since colour alone isn't accessible. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
