/** The area and the pin of a mark as properties that plate.css reads. */
import type { CSSProperties } from "react";
import type { Area } from "../rules.ts";
import type { PinPosition } from "../pin-positions.ts";

export function toAreaStyle({ x, y, width, height }: Area): CSSProperties {
  return {
    "--x": toPercent(x),
    "--y": toPercent(y),
    "--width": toPercent(width),
    "--height": toPercent(height),
  } as CSSProperties;
}

/** Leaves out a narrow height that is the wide one: the stylesheet falls back to it. */
export function toPinStyle({ wide, narrow }: PinPosition): CSSProperties {
  return {
    "--wide": toPercent(wide),
    "--narrow": narrow === wide ? undefined : toPercent(narrow),
  } as CSSProperties;
}

/** Rounds to a thousandth, which is less than a pixel of a page on the screen. */
function toPercent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
