import { partNames } from "../../reviews/rubric.ts";
import type { PartPages } from "./pages.server.ts";

/**
 * Says once that pages are being prepared, however many files they come from, and names each file with
 * pages that cannot be shown.
 *
 * @returns sentences to show above the pages; none when every page is ready
 */
export function listPageNotices(
  parts: readonly Pick<PartPages, "part" | "isComing" | "notice">[],
): string[] {
  const problems = parts.flatMap(({ part, isComing, notice }) =>
    notice && !isComing ? [`${partNames[part]}: ${notice}`] : [],
  );
  return parts.some(({ isComing }) => isComing) ? [preparing, ...problems] : problems;
}

const preparing = "Preparing pages…";
