import { pinShapes, type Severity } from "./severities.ts";
import * as styles from "./pin-sign.module.css";

/** Renders a remark's sign inside an SVG: the shape of its severity, and its number if it has one. */
function Pin({ severity, number }: { severity: Severity; number?: number }) {
  return (
    <g className={styles.shape} data-severity={severity}>
      <path d={pinShapes[severity]} />
      {number !== undefined && <text y="0.36em">{number}</text>}
    </g>
  );
}

/** Renders the sign inline in text. */
export function PinSign(pin: { severity: Severity; number?: number }) {
  return (
    <svg className={styles.pinSign} viewBox="-18 -18 36 36" aria-hidden="true">
      <Pin {...pin} />
    </svg>
  );
}
