import { Outlet } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { requireRole } from "../accounts/guards.server.ts";
import { toastSignedOut } from "../jobs/manage/job-management.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { readSparingly } from "../platform/database.server.ts";
import { withFallback } from "../platform/forms.server.ts";
import { isPageBusy, useRevalidateOnReturn } from "../ui/coming-back.ts";
import type { Route } from "./+types/admin.guard.ts";
import { isMenuFolded, SideMenu } from "./side-menu.tsx";
import { listWaitingWork } from "./waiting-work.server.ts";
import * as styles from "./admin.module.css";
import * as staffStyles from "../ui/layout/staff.module.css";

export const middleware = [toastSignedOut, requireRole("isGodAdmin")];

/** Counts faster than this run on every request; slower ones are cached. */
const quickQueryMs = 50;

/** A route without a loader isn't requested from the server, so its guard wouldn't run. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { config, db } = context.get(appContext);
  const actor = context.get(currentActor);
  return {
    isMenuFolded: isMenuFolded(request.headers.get("cookie"), config),
    /** Null if it could not be counted. */
    waitingWork: await withFallback(
      context,
      () => readSparingly(db, "waiting work", () => listWaitingWork(db, actor), quickQueryMs),
      null,
    ),
  };
}

/** The layout of the admin screens: the side menu and the chosen screen. */
export default function AdminFrame({ loaderData }: Route.ComponentProps) {
  useRevalidateOnReturn(isPageBusy);
  return (
    <div className={`${styles.admin} ${staffStyles.staff}`}>
      <SideMenu startsFolded={loaderData.isMenuFolded} waitingWork={loaderData.waitingWork} />
      <div className={styles.screen}>
        <Outlet />
      </div>
    </div>
  );
}
