import { Outlet } from "react-router";
import { jobBoardDoor } from "../../accounts/doors.server.ts";
import { saySignedOut } from "./say-signed-out.server.ts";

export const middleware = [saySignedOut, jobBoardDoor];

/** The router asks the server, and so the door, only about routes that have a loader. */
export function loader() {
  return null;
}

export default function JobBoardDesk() {
  return (
    <div className="desk">
      <Outlet />
    </div>
  );
}
