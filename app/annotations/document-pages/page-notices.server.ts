import { partNames } from "../../reviews/rubric.ts";
import type { PartPages } from "./pages.server.ts";

/**
 * Lists the notices above the pages: one for all files that are being prepared, and one for each file with
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
