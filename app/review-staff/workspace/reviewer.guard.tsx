import { Outlet } from "react-router";
import { requireRole } from "../../accounts/guards.server.ts";

export const middleware = [requireRole("isReviewer")];

/** The router asks the server, and so the guard, only about routes that have a loader. */
export function loader() {
  return null;
}

/** The frame of the reviewer's screens, where reading and writing need the room. */
export default function ReviewerLayout() {
  return (
    <div className="staff">
      <Outlet />
    </div>
  );
}
