import type { ReactNode } from "react";
import * as styles from "./card.module.css";
import * as badgeStyles from "./badge.module.css";

/** A bordered box for one of several similar things. */
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
      className={[styles.card, tone === "marked" && styles.marked, className]
        .filter(Boolean)
        .join(" ")}
    >
      {(title || subtitle) && (
        <header className={styles.head}>
          {title && <h2>{title}</h2>}
          {subtitle && <p>{subtitle}</p>}
        </header>
      )}
      {children && <div className={styles.body}>{children}</div>}
      {footer && <footer className={styles.foot}>{footer}</footer>}
    </Element>
  );
}

const tones = {
  neutral: badgeStyles.neutral,
  outline: badgeStyles.outline,
  info: badgeStyles.info,
  warning: badgeStyles.warning,
  success: badgeStyles.success,
  danger: badgeStyles.danger,
};

/** A badge is amber ("warning") only if something is late. */
export type Tone = keyof typeof tones;

/** A word or two about a state. Each tone has its own mark too, since colour alone isn't accessible. */
export function Badge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`${badgeStyles.badge} ${tones[tone]}`}>{children}</span>;
}
