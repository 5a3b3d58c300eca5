import type { ReactNode } from "react";
import { useRenderedByServer } from "../hydrated.ts";
import * as styles from "./station-line.module.css";

/** A station on the way of an order. */
export type Station = {
  label: string;
  state: "passed" | "current" | "ahead";
};

/**
 * Draws the way of an order as a line with stations, up to the current one. It moves only when its page was loaded, not
 * when a person returns to it.
 *
 * @param end what is known about the last station, such as its due time
 */
export function StationLine({
  stations,
  isLate = false,
  end,
}: {
  stations: Station[];
  isLate?: boolean;
  end?: ReactNode;
}) {
  return (
    <ol
      className={styles.stationLine}
      data-late={isLate || undefined}
      data-draws={useRenderedByServer() || undefined}
    >
      {stations.map(({ label, state }, index) => (
        <li key={label} data-state={state} aria-current={state === "current" ? "step" : undefined}>
          <span className={styles.stop}>{label}</span>
          {state === "passed" && <span className="sr-only"> (done)</span>}
          {index === stations.length - 1 && end}
        </li>
      ))}
    </ol>
  );
}
