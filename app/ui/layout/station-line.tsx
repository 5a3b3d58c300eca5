/** A station on the way of an order. */
export type Station = {
  label: string;
  /** A date or a time beside the label. */
  detail?: string;
  state: "passed" | "current" | "ahead";
};

/** Draws the way of an order as a line with stations, up to the current one. */
export function StationLine({
  stations,
  isLate = false,
}: {
  stations: Station[];
  isLate?: boolean;
}) {
  return (
    <ol className="station-line" data-late={isLate || undefined}>
      {stations.map(({ label, detail, state }) => (
        <li key={label} data-state={state} aria-current={state === "current" ? "step" : undefined}>
          <span className="station-stop">{label}</span>
          {state === "passed" && <span className="sr-only"> (done)</span>}
          {detail && <span className="station-detail"> {detail}</span>}
        </li>
      ))}
    </ol>
  );
}
