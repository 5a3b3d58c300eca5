/** The kinds of reviews and their states; safe for the browser. */
import { formatRupees } from "../payments/money.ts";
import { day } from "../platform/clock.ts";
import type { ReviewPrices } from "../platform/config.server.ts";
import type { OwnPath } from "../platform/own-path.ts";

export const serviceTypes = ["resume_review", "portfolio_review", "combined_review"] as const;
export type ServiceType = (typeof serviceTypes)[number];

/** The period of figures about reviews and reviewers. */
export const figuresFor = 90 * day;

export type ReviewStatus = "pending" | "under_review" | "completed";

export type Service = {
  type: ServiceType;
  label: string;
  /** The label without the explanation in brackets, for plan cards and buttons. */
  shortLabel: string;
  path: OwnPath;
  turnaroundHours: number;
  /** The initial priority of a bought review. */
  startPriority: Priority;
  needs: { resume: boolean; portfolio: boolean };
};

export const services: Record<ServiceType, Service> = {
  resume_review: {
    type: "resume_review",
    label: "Resume Review",
    shortLabel: "Resume Review",
    path: "/services/resume-review",
    turnaroundHours: 48,
    startPriority: 0,
    needs: { resume: true, portfolio: false },
  },
  portfolio_review: {
    type: "portfolio_review",
    label: "Portfolio Review",
    shortLabel: "Portfolio Review",
    path: "/services/portfolio-review",
    turnaroundHours: 48,
    startPriority: 0,
    needs: { resume: false, portfolio: true },
  },
  combined_review: {
    type: "combined_review",
    label: "Combined Review (Resume & Portfolio)",
    shortLabel: "Combined Review",
    path: "/services/combined-review",
    turnaroundHours: 24,
    startPriority: 3,
    needs: { resume: true, portfolio: true },
  },
};

const { resume_review, combined_review } = services;

/** Times for texts. */
export const turnaround = {
  standard: `Standard reviews are done within ${resume_review.turnaroundHours} hours`,
  priority: `typically done within ${combined_review.turnaroundHours} hours`,
};

/** Formats the prices for texts, such as "₹199". */
export function formatPrices(prices: ReviewPrices) {
  const { resume_review, portfolio_review, combined_review } = prices;
  const apart = resume_review + portfolio_review;
  const resume = formatRupees(resume_review);
  const portfolio = formatRupees(portfolio_review);
  return {
    resume,
    portfolio,
    /** One of them, for a sentence: "₹199", or "₹249.50 or ₹199". */
    single: resume === portfolio ? resume : `${resume} or ${portfolio}`,
    both: formatRupees(combined_review),
    saved: formatRupees(apart - combined_review),
    lowest: formatRupees(Math.min(...Object.values(prices))),
  };
}

export function isServiceType(text: unknown): text is ServiceType {
  return serviceTypes.some((candidate) => candidate === text);
}

/** Returns the service's name; an unknown type unchanged, and "Unknown Type" for a missing one. */
export function getServiceLabel(type: string | null | undefined): string {
  if (!type) return "Unknown Type";
  return isServiceType(type) ? services[type].label : type;
}

type Priority = 0 | 1 | 2 | 3;
export const priorityNames = ["None", "Low", "Medium", "High"] as const;

type BadgeLook = {
  label: string;
  tone: "neutral" | "outline" | "info" | "success" | "danger";
};

/** Returns the customer's badge for a status; null for an unknown one. */
export function toStatusBadge(status: string): BadgeLook | null {
  if (status === "pending") return { label: "Pending", tone: "neutral" };
  if (status === "under_review") return { label: "Under Review", tone: "info" };
  if (status === "completed") return { label: "Completed", tone: "success" };
  return null;
}

/** Formats a status for a sentence: "under_review" → "under review". */
export function formatReviewStatus(status: string): string {
  return status.replaceAll("_", " ");
}

/** Returns the badge for a priority in staff lists: null for 0 or a missing one, High from 3 up. */
export function toPriorityBadge(priority: number | null | undefined): BadgeLook | null {
  if (!priority || priority < 1) return null;
  if (priority >= 3) return { label: "High", tone: "danger" };
  return priority === 2 ? { label: "Medium", tone: "neutral" } : { label: "Low", tone: "outline" };
}
