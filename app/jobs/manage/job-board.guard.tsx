import { Outlet } from "react-router";
import { jobBoardGuard } from "../../accounts/guards.server.ts";
import { isAtWork, useReadOnReturn } from "../../ui/coming-back.ts";
import { saySignedOut } from "./job-management.server.ts";

export const middleware = [saySignedOut, jobBoardGuard];

/** The router asks the server, and so the guard, only about routes that have a loader. */
export function loader() {
  return null;
}

export default function JobBoardLayout() {
  useReadOnReturn(isAtWork);
  return (
    <div className="staff">
      <Outlet />
    </div>
  );
}
