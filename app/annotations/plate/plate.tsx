import type { CSSProperties, ReactNode } from "react";
import { criteria } from "../../reviews/rubric.ts";
import { PinSign } from "../pin-sign.tsx";
import type { NumberedRemark, Sheet } from "../marked.ts";
import type { Area } from "../rules.ts";
import { severities } from "../severities.ts";
import { MarkBox } from "./mark-box.tsx";
import { toMarkStyle, toPinStyle } from "./mark-style.ts";
import type { PinPosition } from "../pin-positions.ts";
import * as styles from "./plate.module.css";

type PlacedRemark = NumberedRemark & { area: Area };

/**
 * Renders a page as a map: its picture inside a frame with grid letters, and the pins of its remarks in the margin, tied
 * to their boxes. Pins link to the remarks.
 *
 * @param hasTargets whether remarks link to these pins. A page can be on the screen twice, but an id only once.
 * @param legend the line at the foot
 * @param children the picture of the page
 */
export function Plate({
  sheet: { title, remarks, pins },
  isLit,
  hasTargets,
  legend,
  children,
}: {
  sheet: Sheet;
  /** Checks whether a remark is hovered or focused. */
  isLit: (id: string) => boolean;
  hasTargets: boolean;
  legend: string;
  children: ReactNode;
}) {
  const placed = remarks.filter((remark): remark is PlacedRemark => remark.area !== null);
  // Pins of one line share a height.
  const lines = Map.groupBy(placed, ({ id }) => pins[id]!.wide);
  return (
    <div className={styles.plate}>
      <span className={styles.rows} />
      <div className={styles.paper}>
        {children}
        <div
          className={styles.pins}
          role="group"
          aria-label={`Places on ${title}`}
          // Fewer fit below each other at their full size.
          style={lines.size > 5 ? ({ "--pins": lines.size } as CSSProperties) : undefined}
        >
          {[...lines.values()].map((line) => {
            const { id } = line[0]!;
            const marks = line.map((remark) => (
              <PlacedPin
                key={remark.id}
                remark={remark}
                height={pins[id]!}
                isLit={isLit(remark.id)}
                hasTarget={hasTargets}
              />
            ));
            if (line.length === 1) return marks;
            return (
              <details
                key={id}
                className={styles.fold}
                style={toPinStyle(pins[id]!) as CSSProperties}
              >
                <summary aria-label={`${line.length} remarks on one line`}>{line.length}</summary>
                <div>{marks}</div>
              </details>
            );
          })}
        </div>
      </div>
      <p className={styles.legend}>{legend}</p>
    </div>
  );
}

function PlacedPin({
  remark: { id, area, number, severity, criterion },
  height,
  isLit,
  hasTarget,
}: {
  remark: PlacedRemark;
  height: PinPosition;
  isLit: boolean;
  hasTarget: boolean;
}) {
  const about = criterion ? `, ${criteria[criterion].label}` : "";
  return (
    <span
      className={styles.mark}
      data-remark={id}
      data-severity={severity}
      data-lit={isLit || undefined}
      style={toMarkStyle(area, height)}
    >
      <MarkBox area={area} number={number} />
      <a
        id={hasTarget ? `pin-${number}` : undefined}
        href={`#remark-${number}`}
        aria-label={`Remark ${number}: ${severities[severity].label}${about}`}
      >
        <PinSign severity={severity} number={number} />
      </a>
    </span>
  );
}
