import { Outlet } from "react-router";
import { requireJobBoardAccess } from "../../accounts/guards.server.ts";
import { isPageBusy, useRevalidateOnReturn } from "../../ui/coming-back.ts";
import { toastSignedOut } from "./job-management.server.ts";

export const middleware = [toastSignedOut, requireJobBoardAccess];

/** The router asks the server, and so the guard, only about routes that have a loader. */
export function loader() {
  return null;
}

export default function JobBoardLayout() {
  useRevalidateOnReturn(isPageBusy);
  return (
    <div className="staff">
      <Outlet />
    </div>
  );
}
