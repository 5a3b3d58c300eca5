/** How the keyboard goes from word to word of a page. */
import type { WordBox } from "../../files/inspect/pdfium-page.server.ts";

/**
 * The word that a key leads to.
 *
 * @param words of a page, in the order in which they are read
 * @param from the index of the one to go from; null for none yet, from which every way leads to the first
 * @returns its index, the same one where it goes no further; null for a key that leads nowhere.
 */
export function wordFrom(
  words: readonly WordBox[],
  from: number | null,
  key: string,
): number | null {
  const last = words.length - 1;
  const start = from ?? 0;
  const ways: Record<string, () => number> = {
    ArrowRight: () => Math.min(start + 1, last),
    ArrowLeft: () => Math.max(start - 1, 0),
    ArrowDown: () => nearestLine(words, start, 1),
    ArrowUp: () => nearestLine(words, start, -1),
    Home: () => 0,
    End: () => last,
  };
  const go = Object.hasOwn(ways, key) ? ways[key] : undefined;
  if (!go) return null;
  return from === null && key !== "End" ? 0 : go();
}

/** To leave the column weighs more than a line. */
const sideways = 3;

/** The word below (1) or above (-1) another one. */
function nearestLine(words: readonly WordBox[], from: number, way: 1 | -1): number {
  const own = words[from]!;
  const [, , left, , width, height] = own;
  let nearest = from;
  let least = Infinity;
  for (const [index, word] of words.entries()) {
    const down = (middle(word) - middle(own)) * way;
    if (down <= height / 2) continue;
    const gap = Math.max(0, word[2] - left - width, left - word[2] - word[4]);
    const far = down + sideways * gap;
    if (far >= least) continue;
    [nearest, least] = [index, far];
  }
  return nearest;
}

function middle([, , , top, , height]: WordBox): number {
  return top + height / 2;
}
