import type { ReactNode } from "react";
import * as styles from "./gallery.module.css";

type Theme = "light" | "dark";

/** A component of `app/ui` with its states. */
export type Specimen = {
  /** The component's name, or a short name for styles without a component. */
  name: string;
  /** The source file below `app/ui`. */
  file: string;
  note?: ReactNode;
  /** The room for each state. "wide" is the width of the page, with one theme below the other. */
  width?: keyof typeof widths;
  /** True if the page can have it only once. It then has the page's theme. */
  isSingle?: boolean;
  states: readonly State[];
};

export type State = {
  /** The props or the situation that make this state. */
  label: string;
  /** Shows the components of this state as hovered or focused. */
  as?: "hover" | "focus";
  show(theme: Theme): ReactNode;
};

const widths = {
  small: styles.specimenSmall,
  medium: "",
  large: styles.specimenLarge,
  wide: styles.specimenWide,
};

const themes = ["light", "dark"] as const;

export function SpecimenCard({ name, file, note, width = "medium", isSingle, states }: Specimen) {
  return (
    <article className={styles.specimen} id={name}>
      <div className={styles.specimenHead}>
        <h3>{name}</h3>
        <code>app/ui/{file}</code>
        {note && <p>{note}</p>}
      </div>
      <div className={`${styles.specimenPanels} ${widths[width]}`}>
        {isSingle ? (
          <div className={styles.panel}>
            <States states={states} theme="light" />
          </div>
        ) : (
          themes.map((theme) => (
            <div key={theme} className={styles.panel} data-theme={theme}>
              <States states={states} theme={theme} />
            </div>
          ))
        )}
      </div>
    </article>
  );
}

function States({ states, theme }: { states: readonly State[]; theme: Theme }) {
  return states.map(({ label, as, show }) => (
    <div key={label} className={styles.specimenState}>
      <p className={styles.specimenLabel}>{label}</p>
      <div className={as && `as-${as}`}>{show(theme)}</div>
    </div>
  ));
}

/** Texts that are longer than most layouts expect. */
export const longText =
  "Senior Product Designer for payments, onboarding and everything in between at Bharat Cooperative Housing Finance";
export const hindiText = "वरिष्ठ उत्पाद डिज़ाइनर, भुगतान और ऑनबोर्डिंग";
export const longWord = "asha.verma.of.the.very.long.portfolio.address@design.example.com";
