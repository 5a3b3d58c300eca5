/** The roles of a person, and the links and redirects that follow from them. */

export const staffRoleNames = ["god_admin", "job_board_adder", "reviewer"] as const;
export type StaffRole = (typeof staffRoleNames)[number];

/** The three flags of a signed-in person. One account may hold several. */
export type RoleFlags = { isGodAdmin: boolean; isJobBoardAdder: boolean; isReviewer: boolean };

/** Flags from the list of roles that an account holds. */
export function toRoleFlags(roles: readonly string[]): RoleFlags {
  return {
    isGodAdmin: roles.includes("god_admin"),
    isJobBoardAdder: roles.includes("job_board_adder"),
    isReviewer: roles.includes("reviewer"),
  };
}

/** Returns the path after a plain sign-in: god admin first, then job-board adder, then reviewer. */
export function getHomePath(flags: RoleFlags): string {
  if (flags.isGodAdmin) return "/admin";
  if (flags.isJobBoardAdder) return "/job-board";
  if (flags.isReviewer) return "/reviewer";
  return "/";
}

/** The one dashboard link in the header, in the same order of roles. */
export function getDashboardLink(
  flags: RoleFlags,
  fullName: string | null,
): { label: string; to: string } {
  if (flags.isGodAdmin) return { label: "Admin Dashboard", to: "/admin" };
  if (flags.isJobBoardAdder) return { label: "Job Board", to: "/job-board" };
  if (flags.isReviewer) return { label: "Reviewer Dashboard", to: "/reviewer" };
  return { label: getFirstName(fullName) ?? "Profile", to: "/profile" };
}

function getFirstName(fullName: string | null): string | null {
  return fullName?.trim().split(" ")[0] || null;
}
