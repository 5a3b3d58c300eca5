import type { Area } from "../rules.ts";
import * as styles from "./plate.module.css";

/** Renders the box or the point of a mark. The mark itself draws the line to its pin: see plate.css. */
export function MarkBox({ area }: { area: Area }) {
  const isPoint = area.width === 0 && area.height === 0;
  return <span className={isPoint ? styles.point : styles.box} />;
}
