/** The area and the pin of a mark as properties that plate.module.css reads. */
import type { CSSProperties } from "react";
import type { Area } from "../rules.ts";
import type { PinPosition } from "../pin-positions.ts";

/** Leaves out a pin's height that is the top of the area: the stylesheet falls back to it. */
export function toMarkStyle({ x, y, width, height }: Area, pin: PinPosition): CSSProperties {
  const { "--wide": wide, ...narrow } = toPinStyle(pin);
  return {
    "--x": toPercent(x),
    "--y": toPercent(y),
    "--width": toPercent(width),
    "--height": toPercent(height),
    ...(wide !== toPercent(y) && { "--wide": wide }),
    ...narrow,
  } as CSSProperties;
}

/** Leaves out a narrow height that is the wide one: the stylesheet falls back to it. */
export function toPinStyle({ wide, narrow }: PinPosition): {
  "--wide": string;
  "--narrow"?: string;
} {
  return {
    "--wide": toPercent(wide),
    ...(narrow !== wide && { "--narrow": toPercent(narrow) }),
  };
}

/** Rounds to a thousandth, which is less than a pixel of a page on the screen. */
function toPercent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
