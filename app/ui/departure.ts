import { useEffect } from "react";
import { useNavigate, useNavigation } from "react-router";
import type { OwnPath } from "../platform/own-path.ts";
import { getActiveNavigation } from "./navigations.ts";

/**
 * Navigates to another screen after a delay, unless the person navigates first.
 *
 * @param to the target, or null to stay
 * @param options.replace false if people may go back to this screen
 */
export function useDelayedNavigation(
  to: OwnPath | null,
  milliseconds: number,
  { replace = true } = {},
): void {
  const navigate = useNavigate();
  const isGoing = useNavigation().state !== "idle";
  useEffect(() => {
    if (to === null || isGoing) return undefined;
    const leave = () => getActiveNavigation() ?? void navigate(to, { replace });
    const timer = setTimeout(leave, milliseconds);
    return () => clearTimeout(timer);
  }, [navigate, to, isGoing, milliseconds, replace]);
}
