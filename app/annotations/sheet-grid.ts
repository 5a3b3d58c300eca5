/** The grid of a sheet; safe for the browser. */
import type { Area } from "./rules.ts";

const columns = "ABCDEF";
const rows = 8;

/** Formats the square of the sheet's grid that an area begins in: "C4". */
export function formatSquare({ x, y }: Area): string {
  const column = columns[Math.min(Math.floor(x * columns.length), columns.length - 1)];
  return `${column}${Math.min(Math.floor(y * rows), rows - 1) + 1}`;
}
