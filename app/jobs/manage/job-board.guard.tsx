import { Outlet } from "react-router";
import { requireJobBoardAccess } from "../../accounts/guards.server.ts";
import { isPageBusy, useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { toastSignedOut } from "./job-management.server.ts";
import * as styles from "../../ui/layout/staff.module.css";

export const middleware = [toastSignedOut, requireJobBoardAccess];

/** Without a loader, the router would not ask the server on client navigation, and the guard would not run. */
export function loader() {
  return null;
}

export default function JobBoardLayout() {
  useRevalidateOnReturn(isPageBusy);
  return (
    <div className={styles.staff}>
      <Outlet />
    </div>
  );
}
