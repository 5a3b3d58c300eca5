import type { BoardQuery, FeedFormat } from "../board/board-query.ts";
import { boardPage } from "../pages.ts";

/** The media types of the feeds. */
export const feedTypes: Record<FeedFormat, string> = {
  atom: "application/atom+xml",
  json: "application/feed+json",
};

/** What a list holds: "Design Jobs Board: Internship, “figma”"; without a filter the board's title. */
export function describeFilter({ search, type }: Pick<BoardQuery, "search" | "type">): string {
  const filter = [type, search && `“${search}”`].filter(Boolean).join(", ");
  return filter ? `${boardPage.title}: ${filter}` : boardPage.title;
}
