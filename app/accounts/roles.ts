/** Staff roles, and the links and redirects that depend on them. */
import type { OwnPath } from "../platform/own-path.ts";

export const staffRoleNames = ["god_admin", "job_board_adder", "reviewer"] as const;
export type StaffRole = (typeof staffRoleNames)[number];

/** A person's staff roles as flags. One account may have several. */
export type RoleFlags = { isGodAdmin: boolean; isJobBoardAdder: boolean; isReviewer: boolean };

/** Converts the list of an account's roles to flags. */
export function toRoleFlags(roles: readonly string[]): RoleFlags {
  return {
    isGodAdmin: roles.includes("god_admin"),
    isJobBoardAdder: roles.includes("job_board_adder"),
    isReviewer: roles.includes("reviewer"),
  };
}

/** Returns the path after a plain sign-in: god admin first, then job-board adder, then reviewer. */
export function getHomePath(flags: RoleFlags): OwnPath {
  if (flags.isGodAdmin) return "/admin";
  if (flags.isJobBoardAdder) return "/job-board";
  if (flags.isReviewer) return "/reviewer";
  return "/";
}

/** Returns the header's dashboard link, in the same order of roles. */
export function getDashboardLink(
  flags: RoleFlags,
  fullName: string | null,
): { label: string; to: OwnPath } {
  if (flags.isGodAdmin) return { label: "Admin Dashboard", to: "/admin" };
  if (flags.isJobBoardAdder) return { label: "Job Board", to: "/job-board" };
  if (flags.isReviewer) return { label: "Reviewer Dashboard", to: "/reviewer" };
  return { label: getFirstName(fullName) ?? "Profile", to: "/profile" };
}

function getFirstName(fullName: string | null): string | null {
  return fullName?.trim().split(" ")[0] || null;
}
