import { Outlet } from "react-router";
import { requireRole } from "../../accounts/guards.server.ts";
import * as styles from "../../ui/layout/staff.module.css";

export const middleware = [requireRole("isReviewer")];

/** Makes client navigation reach the guard: the router calls the server only for routes with a loader. */
export function loader() {
  return null;
}

/** The frame of the reviewer's screens, wider than the public ones. */
export default function ReviewerLayout() {
  return (
    <div className={styles.staff}>
      <Outlet />
    </div>
  );
}
