import type { ReactNode } from "react";
import { Icon } from "../brand/icon.tsx";
import * as styles from "./station-card.module.css";

/**
 * A person, as a station on the map: an initial in a ring, their name, and what is known about them.
 *
 * @param initial the first character of the name, from the server; null shows the outline of a person
 * @param isLocked true for a person whom the reader can't see yet
 */
export function StationCard({
  initial,
  name,
  children,
  isLocked,
}: {
  initial: string | null;
  name: ReactNode;
  children?: ReactNode;
  isLocked?: true;
}) {
  return (
    <div className={styles.station} data-locked={isLocked}>
      <span className={styles.ring} aria-hidden="true">
        {initial ?? <Icon name="user" />}
      </span>
      <div>
        <p className={styles.name}>{name}</p>
        {children}
      </div>
    </div>
  );
}
