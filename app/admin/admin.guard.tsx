import { Outlet } from "react-router";
import { requireRole } from "../accounts/guards.server.ts";
import { toastSignedOut } from "../jobs/manage/job-management.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { isPageBusy, useRevalidateOnReturn } from "../ui/coming-back.ts";
import type { Route } from "./+types/admin.guard.ts";
import { isMenuFolded, SideMenu } from "./side-menu.tsx";

export const middleware = [toastSignedOut, requireRole("isGodAdmin")];

/** A route without a loader isn't requested from the server, so its guard wouldn't run. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { config } = context.get(appContext);
  return { isMenuFolded: isMenuFolded(request.headers.get("cookie"), config) };
}

/** The layout of the admin screens: the side menu and the chosen screen. */
export default function AdminFrame({ loaderData }: Route.ComponentProps) {
  useRevalidateOnReturn(isPageBusy);
  return (
    <div className="admin staff">
      <SideMenu startsFolded={loaderData.isMenuFolded} />
      <div className="admin-screen">
        <Outlet />
      </div>
    </div>
  );
}
