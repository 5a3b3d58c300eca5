import type { OwnPath } from "../platform/own-path.ts";
import type { IconName } from "../ui/brand/icon.tsx";
import type { ListedWork } from "./waiting-work.server.ts";

type Screen = {
  label: string;
  to: OwnPath;
  /** A sentence about it, for lists. */
  about?: string;
};

/** A screen in the side menu. */
export type Entry = Screen & { icon: IconName; work?: ListedWork["name"] };

/** The main screens. */
export const parts: Entry[] = [
  { label: "Overview", to: "/admin", icon: "compass" },
  { label: "Users", to: "/admin/users", icon: "user" },
  { label: "Reviews", to: "/admin/reviews", icon: "file" },
  { label: "Job Board", to: "/admin/jobs", icon: "pin" },
  { label: "Settings", to: "/admin/settings", icon: "filter" },
];

/** The screens of daily work, each with the number of what waits there. */
export const operations: Entry[] = [
  {
    label: "Messages",
    to: "/admin/messages",
    about: "Read and answer contact messages",
    icon: "mail",
    work: "messages",
  },
  {
    label: "Orders",
    to: "/admin/orders",
    about: "All payments and refunds",
    icon: "copy",
    work: "refunds",
  },
  {
    label: "Payments",
    to: "/admin/payments",
    about: "Payments that need a decision",
    icon: "warning",
    work: "payments",
  },
  {
    label: "Reports on listings",
    to: "/admin/jobs/reports",
    about: "Listings that people reported",
    icon: "flag",
    work: "reports",
  },
  {
    label: "Listings to publish",
    to: "/admin/jobs/waiting",
    about: "Listings that companies sent",
    icon: "upload",
    work: "listings",
  },
  {
    label: "Checks due",
    to: "/admin/jobs/checks",
    about: "Listings to compare with their sources",
    icon: "check",
    work: "checks",
  },
];

/** The screens without an entry in the side menu. */
export const screens: Screen[] = [
  {
    to: "/admin/reviewers",
    label: "Reviewers",
    about: "Ratings and turnaround of each reviewer",
  },
  {
    to: "/admin/reviews/handed-back",
    label: "Handed back reviews",
    about: "Reviews that a reviewer couldn't finish, with the reason and what they wrote",
  },
  {
    to: "/admin/reviews/questions",
    label: "Customers' questions",
    about: "Open questions about completed reviews, and who answers them",
  },
  {
    to: "/admin/companies",
    label: "Companies",
    about: "Companies that post themselves, claims on them, and changes of their pages",
  },
  {
    to: "/admin/jobs/names",
    label: "Removed contacts",
    about: "Texts that name a contact who was removed",
  },
  { to: "/admin/mail", label: "Email", about: "Queued, failed and sent email" },
  {
    to: "/admin/jobs/details",
    label: "Proposed details",
    about: "Filter details found in old listings",
  },
  { to: "/admin/history", label: "Audit log", about: "Staff actions, by person and time" },
  { to: "/admin/product", label: "System", about: "Version, queues and settings" },
];
