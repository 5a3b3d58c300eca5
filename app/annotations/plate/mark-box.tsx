import type { Area } from "../rules.ts";

/** Renders the box or the point of a mark. The mark itself draws the line to its pin: see plate.css. */
export function MarkBox({ area }: { area: Area }) {
  const isPoint = area.width === 0 && area.height === 0;
  return <span className={isPoint ? "plate-point" : "plate-box"} />;
}
