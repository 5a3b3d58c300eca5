/** The order in which remarks are read and numbered; safe for the browser. */
import type { Remark, Target } from "./rules.ts";

/** Areas closer than this share of the height are on one line, read from the left. */
const oneLine = 0.01;

/**
 * Sorts remarks by page and down each page. Remarks on a complete page come first there, screenshots come
 * after pages, and remarks without a target come last. The order depends only on stored data, so numbers do
 * not change when pages are rendered.
 *
 * @param imageIds the screenshots in their order
 */
export function sortByReadingOrder<Item extends Pick<Remark, "id" | "target" | "area">>(
  remarks: readonly Item[],
  imageIds: readonly string[] = [],
): Item[] {
  const position = ({ target, area }: Item): number[] => [
    getTargetOrder(target, imageIds),
    area ? Math.round(area.y / oneLine) : -1,
    area ? area.x : -1,
  ];
  const positions = new Map(remarks.map((remark) => [remark, position(remark)]));
  return remarks.toSorted((one, other) => {
    const [left, right] = [positions.get(one)!, positions.get(other)!];
    const step = left.findIndex((value, index) => value !== right[index]);
    if (step >= 0) return left[step]! - right[step]!;
    return one.id < other.id ? -1 : 1;
  });
}

/**
 * Numbers remarks that are in reading order. Stored numbers stay; remarks without one continue after the highest.
 *
 * @returns a number for each remark, in the same order
 */
export function getNumbers(remarks: readonly Pick<Remark, "number">[]): number[] {
  let last = Math.max(0, ...remarks.map(({ number = 0 }) => number));
  return remarks.map(({ number }) => number ?? (last += 1));
}

const lastTarget = 1_000_000;

function getTargetOrder(target: Target | null, imageIds: readonly string[]): number {
  if (!target) return lastTarget;
  if (target.kind === "page") return (target.part === "resume" ? 0 : 1_000) + target.page;
  const position = imageIds.indexOf(target.imageId);
  return position < 0 ? lastTarget : 2_000 + position;
}
