import type { ReactNode } from "react";
import * as styles from "./page.module.css";

const widths = { narrow: styles.narrow, text: styles.text, wide: styles.wide };

/** A screen's area: its h1, an introduction, and the content in a column. */
export function Page({
  back,
  title,
  intro,
  actions,
  width = "wide",
  children,
  aside,
}: {
  /** The link back to the previous screen, above the title. */
  back?: ReactNode;
  title: ReactNode;
  intro?: ReactNode;
  /** Buttons or facts for the screen as a whole, next to the title. */
  actions?: ReactNode;
  /** narrow: one form; text: an article; wide: lists and tables. */
  width?: keyof typeof widths;
  children?: ReactNode;
  /** A side rail: to the right on wide screens, below the content on phones. */
  aside?: ReactNode;
}) {
  return (
    <div className={`${styles.page} ${widths[width]}`}>
      {back && (
        <nav aria-label="Back" className={styles.back}>
          {back}
        </nav>
      )}
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {intro && <div className={styles.intro}>{intro}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {aside ? (
        <div className={styles.withRail}>
          <div className={styles.body}>{children}</div>
          <aside>{aside}</aside>
        </div>
      ) : (
        <div className={styles.body}>{children}</div>
      )}
    </div>
  );
}
