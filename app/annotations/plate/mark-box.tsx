import type { Area } from "../rules.ts";
import * as styles from "./plate.module.css";

/** Renders the box or the point of a mark. The mark itself draws the line to its pin: see plate.module.css. */
export function MarkBox({
  area,
  number,
}: {
  area: Area;
  /** The number of its remark, which a box then shows beside its corner. */
  number?: number;
}) {
  const isPoint = area.width === 0 && area.height === 0;
  return <span className={isPoint ? styles.point : styles.box} data-number={number} />;
}
