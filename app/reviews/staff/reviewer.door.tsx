import { Outlet } from "react-router";
import { staffDoor } from "../../accounts/doors.server.ts";

export const middleware = [staffDoor("isReviewer")];

/** The router asks the server, and so the door, only about routes that have a loader. */
export function loader() {
  return null;
}

/** The frame of the reviewer's screens, where reading and writing need the room. */
export default function ReviewerDesk() {
  return (
    <div className="desk">
      <Outlet />
    </div>
  );
}
