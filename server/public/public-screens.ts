import type { ServerBuild } from "react-router";
import type { PublicPage, PublicScreen } from "../../app/ui/meta/published.ts";

/** The screens for everybody, as their routes' handles tell of them. */
export type PublicScreens = {
  /** Every page for everybody but the jobs' own, in the order of `app/routes.ts`. */
  pages: PublicPage[];
  /** Whether the page at a path is the same for every visitor. */
  isCached(path: string): boolean;
};

export function publicScreens({ routes }: Pick<ServerBuild, "routes">): PublicScreens {
  const screens = Object.values(routes).flatMap((route) => {
    const handle = route?.module.handle as PublicScreen | undefined;
    return handle ? [{ ...handle, path: pathOf(routes, route) }] : [];
  });
  const cached = screens
    .filter(({ isCached }) => isCached)
    .map(({ path }) => path.replaceAll(/:\w+/g, "[^/]+"));
  const pattern = new RegExp(`^/(?:${cached.join("|")})$`);
  return {
    pages: screens.flatMap(({ page }) => page ?? []),
    isCached: (path) => cached.length > 0 && pattern.test(path),
  };
}

/** As the routes above it begin it: "jobs/:jobId". */
function pathOf(routes: ServerBuild["routes"], route: ServerBuild["routes"][string]): string {
  if (!route) return "";
  const above = pathOf(routes, routes[route.parentId ?? ""]);
  return [above, route.path].filter(Boolean).join("/");
}
