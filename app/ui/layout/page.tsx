import type { ReactNode } from "react";

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
  width?: "narrow" | "text" | "wide";
  children?: ReactNode;
  /** A side rail: to the right on wide screens, below the content on phones. */
  aside?: ReactNode;
}) {
  return (
    <div className={`page page-${width}`}>
      {back && (
        <nav aria-label="Back" className="page-back">
          {back}
        </nav>
      )}
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {intro && <div className="page-intro">{intro}</div>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {aside ? (
        <div className="page-with-rail">
          <div className="page-body">{children}</div>
          <aside>{aside}</aside>
        </div>
      ) : (
        <div className="page-body">{children}</div>
      )}
    </div>
  );
}
