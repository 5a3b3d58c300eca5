/** The messages of the screens that close an account, for the browser and the server. */
import type { OwnPath } from "../../platform/own-path.ts";

export const messages = {
  closedAlready: "This account is closed already.",
  ownAccount: "You can't close your own account here. Use your profile.",
  godAdmin: "You can't close a god admin's account. Remove the role first.",
  obstacles: {
    payment:
      "One of your payments isn't confirmed yet. Please wait until it is paid or has failed.",
    reviews: "You have a review that isn't ready yet. Wait for it, or ask for a refund.",
    companies: "You are the only owner of a company with other members. Make one of them an owner.",
    lastGodAdmin: "You are the last god admin. First give the role to someone else.",
  },
} as const;

/** The screen on which each obstacle is removed. */
export const obstacleLinks: Record<
  keyof typeof messages.obstacles,
  { to: OwnPath; label: string }
> = {
  payment: { to: "/profile/payments", label: "See your payments" },
  reviews: { to: "/profile/payments", label: "See your payments to request a refund" },
  companies: { to: "/post/team", label: "Choose another owner" },
  lastGodAdmin: { to: "/admin/users", label: "See all users" },
};
