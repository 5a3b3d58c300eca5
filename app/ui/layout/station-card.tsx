import type { ReactNode } from "react";
import { Icon } from "../brand/icon.tsx";

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
    <div className="station" data-locked={isLocked}>
      <span className="station-ring" aria-hidden="true">
        {initial ?? <Icon name="user" />}
      </span>
      <div>
        <p className="station-name">{name}</p>
        {children}
      </div>
    </div>
  );
}
