/** Rules for companies and the people who post for them: limits, states and labels. Safe for the browser. */
import { day, hour } from "../platform/clock.ts";

/**
 * new: its first listing or its text waits for an admin. approved: it has a public page. hidden: an admin took it off, and
 * nobody can post for it.
 */
export const companyStates = ["new", "approved", "hidden"] as const;
export type CompanyState = (typeof companyStates)[number];

/** An owner also decides about members. The first person with a confirmed work email is the owner. */
export const memberRoles = ["owner", "member"] as const;
export type MemberRole = (typeof memberRoles)[number];

/** In characters. */
export const maxLengths = { name: 120, website: 300, about: 2_000, workEmail: 254 } as const;

/** waiting: an admin reads the change of a company's page. returned: an admin gave a reason. */
export const pageChangeStates = ["waiting", "returned"] as const;

/** The sides of a logo in pixels, and its size and that of the image from which it is made in bytes. */
export const logoSide = 256;
export const maxLogoBytes = 40 * 1024;
export const maxUploadedLogoBytes = 2 * 1024 * 1024;

/** People who may post for one company, with those who are invited. */
export const maxMembers = 10;

/** Time to open the link in a work email. After it, the request is deleted. */
export const confirmWithin = 48 * hour;

/** Time to open the link of an invitation. After it, the invitation is deleted. */
export const joinWithin = 7 * day;

/** The emails that an account can have sent to work addresses in a day. */
export const maxWorkMails = { name: "work-email", max: 5, windowMs: day };

/** The changes of companies' pages that an account can send in an hour, since each may have a logo to render. */
export const maxPageChanges = { name: "company-page", max: 20, windowMs: hour };

export const companyStateLabels: Record<CompanyState, string> = {
  new: "New",
  approved: "Approved",
  hidden: "Hidden",
};

export const roleLabels: Record<MemberRole, string> = { owner: "Owner", member: "Member" };

/** The address of a company's logo. @param company.logoHash null without a logo */
export function buildLogoAddress({ slug, logoHash }: { slug: string; logoHash: string | null }) {
  return logoHash && `/companies/${slug}/logo/${logoHash}`;
}
