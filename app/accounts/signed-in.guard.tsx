import { Outlet } from "react-router";
import { signedInGuard } from "./guards.server.ts";

export const middleware = [signedInGuard];

/** The router asks the server, and so the guard, only about routes that have a loader. */
export function loader() {
  return null;
}

/** The frame of screens for whoever is signed in. */
export default function SignedIn() {
  return <Outlet />;
}
