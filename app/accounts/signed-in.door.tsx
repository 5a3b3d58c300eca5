import { Outlet } from "react-router";
import { signedInDoor } from "./doors.server.ts";

export const middleware = [signedInDoor];

/** The router asks the server, and so the door, only about routes that have a loader. */
export function loader() {
  return null;
}

/** The frame of screens for whoever is signed in. */
export default function SignedIn() {
  return <Outlet />;
}
