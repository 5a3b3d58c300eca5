import type { ServerBuild } from "react-router";
import { parseJobFilter } from "../../app/jobs/filters/job-filter.server.ts";
import { boardPage } from "../../app/jobs/board/pages.ts";
import type { ReviewPrices } from "../../app/platform/config.server.ts";
import type { PublicPage, PublicScreen } from "../../app/ui/meta.ts";

/** The public screens, as their routes' handles declare them. */
export type PublicScreens = {
  /** All public pages except individual jobs, in the order of `app/routes.ts`. */
  pages: PublicPage[];
  /** Checks whether the page at a path is the same for every visitor. */
  isCached(path: string): boolean;
  /** Checks whether it is the same for all signed-in people, apart from the frame. */
  isShared(path: string): boolean;
  /** Returns the key of the cached page at an address, the same for equal queries, or null if it isn't cached. */
  getCacheKey(address: URL): string | null;
};

export function listPublicScreens(
  { routes }: Pick<ServerBuild, "routes">,
  prices: ReviewPrices,
): PublicScreens {
  const screens = Object.values(routes).flatMap((route) => {
    const handle = route?.module.handle as PublicScreen | undefined;
    return handle ? [{ ...handle, path: getRoutePath(routes, route) }] : [];
  });
  return {
    pages: screens.flatMap(({ page }) =>
      typeof page === "function" ? page(prices) : (page ?? []),
    ),
    isCached: createPathMatcher(screens.filter(({ isCached }) => isCached)),
    isShared: createPathMatcher(screens.filter(({ isShared }) => isShared)),
    getCacheKey: ({ pathname, search, searchParams }) =>
      pathname === boardPage.path ? parseJobFilter(searchParams).cacheKey : pathname + search,
  };
}

/** Creates a check for the paths of these screens, excluding their data URLs. */
function createPathMatcher(screens: { path: string }[]): (path: string) => boolean {
  const patterns = screens.map(({ path }) => path.replaceAll(/:\w+/g, "[^/.]+"));
  const pattern = new RegExp(`^/(?:${patterns.join("|")})$`);
  return (path) => patterns.length > 0 && pattern.test(path);
}

/** Returns the path with its parent routes: "jobs/:jobId". */
function getRoutePath(routes: ServerBuild["routes"], route: ServerBuild["routes"][string]): string {
  if (!route) return "";
  const above = getRoutePath(routes, routes[route.parentId ?? ""]);
  return [above, route.path].filter(Boolean).join("/");
}
