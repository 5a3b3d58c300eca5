import type { Area } from "../rules.ts";

/** Renders the box or the point of a mark, and the line that ties it to its pin in the margin. */
export function MarkLines({ area }: { area: Area }) {
  const isPoint = area.width === 0 && area.height === 0;
  return (
    <>
      <span className={isPoint ? "plate-point" : "plate-box"} />
      <span className="plate-leader" />
      <span className="plate-elbow" />
    </>
  );
}
