import type { Area } from "./rules.ts";

/** The height of a pin's center from the top, in fractions of the sheet, for wide and for narrow sheets. */
export type PinPosition = { wide: number; narrow: number };

/** The area of a remark that gets a pin. */
export type PinnedArea = { id: string; area: Area };

/**
 * The height of a pin with its gap, as a share of the sheet's width, for wide and for narrow sheets. On a phone it is
 * the height of a touch target.
 */
const pinHeights = { wide: 0.042, narrow: 0.13 };

/**
 * Finds the positions of pins in the margin: each as close to its area as the others allow, in the order of the areas. Six or more on
 * one line share a position.
 *
 * @param ratio the height of the sheet divided by its width
 * @returns the positions by remark
 */
export function getPinPositions(
  areas: readonly PinnedArea[],
  ratio: number,
): Record<string, PinPosition> {
  const lines = groupByLine(areas.toSorted((one, other) => one.area.y - other.area.y));
  const heights = lines.map(([first]) => first!.area.y);
  const wide = moveApart(heights, pinHeights.wide / ratio);
  const narrow = moveApart(heights, pinHeights.narrow / ratio);
  return Object.fromEntries(
    lines.flatMap((line, index) => {
      const pin = { wide: toHeight(wide[index]!), narrow: toHeight(narrow[index]!) };
      return line.map(({ id }) => [id, pin]);
    }),
  );
}

function toHeight(fraction: number): number {
  return Math.round(fraction * 1000) / 1000;
}

/**
 * Moves ascending numbers from 0 to 1 as little as possible, so that neighbors are at least `gap` apart. If there are
 * too many for that, the gap is smaller.
 */
export function moveApart(numbers: readonly number[], gap: number): number[] {
  const used = Math.min(gap, 1 / Math.max(1, numbers.length - 1));
  // Without the gaps, the numbers only have to ascend: neighbors in the wrong order share their mean.
  const groups: { sum: number; count: number }[] = [];
  for (const [index, number] of numbers.entries()) {
    let group = { sum: number - index * used, count: 1 };
    for (let last = groups.at(-1); last && getMean(last) > getMean(group); last = groups.at(-1)) {
      groups.pop();
      group = { sum: last.sum + group.sum, count: last.count + group.count };
    }
    groups.push(group);
  }
  const max = 1 - (numbers.length - 1) * used;
  return groups
    .flatMap((group) => Array.from({ length: group.count }, () => getMean(group)))
    .map((number, index) => Math.min(Math.max(number, 0), max) + index * used);
}

function getMean({ sum, count }: { sum: number; count: number }): number {
  return sum / count;
}

/** Pins of this many areas on one line share a position in the margin. */
const minFolded = 6;
/** Areas closer than this share of the height are on one line. */
const oneLine = 0.01;

function groupByLine(areas: readonly PinnedArea[]): PinnedArea[][] {
  const lines = Map.groupBy(areas, ({ area }) => Math.round(area.y / oneLine));
  return [...lines.values()].flatMap((line) =>
    line.length < minFolded ? line.map((area) => [area]) : [line],
  );
}
