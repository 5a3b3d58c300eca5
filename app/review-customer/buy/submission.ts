/** The materials for a review before it is paid, for the browser and the server. */
import type { Thumbnail } from "../../annotations/document-pages/page-thumbnail.tsx";
import type { FileReading } from "../../annotations/machine-reading/file-reading.ts";
import { uploadRules } from "../../files/rules.ts";
import type { OfferedPlace } from "../../payments/tax/buyer-place.ts";
import { toPlainDigits } from "../../platform/text/phone-numbers.ts";
import type { OfferedBrief } from "../../reviews/brief.ts";
import { type Service, services } from "../../reviews/rules.ts";
import type { ServiceKey } from "../../reviews/second-looks.ts";
import type { Offer } from "../../reviews/second-looks.server.ts";

/** The two parts that a review may need. */
export const parts = ["resume", "portfolio"] as const;
export type Part = (typeof parts)[number];

export type Step = Part | "payment";

/** The state of a file's blacked-out copy. If it is "made", the draft has the copy as its file. */
export type CopyState = "none" | "coming" | "failed" | "made";

/** A file of a draft, as its owner sees it. */
export type DraftFile = { name: string; size: number; address: string; copy: CopyState };

/** The materials to be reviewed. */
type Gathered = {
  resume: DraftFile | null;
  portfolio: DraftFile | null;
  portfolioUrl: string | null;
};

/** A person's draft for one kind of review; empty at first. */
export type Draft = Gathered & {
  /** True once the owner confirmed that the address opens without signing in. */
  isPortfolioSeen: boolean;
  /** Changes with the materials, and differs for each draft; "" for an empty one. */
  version: string;
};

/** The first pages of a file in a draft, and what software reads in it. */
export type DraftPreview = {
  part: Part;
  thumbnails: Thumbnail[];
  /** The number of pages of the file; null while unknown. */
  pageCount: number | null;
  /** True while pages are being prepared. */
  isComing: boolean;
  /** Why pages are missing, in full sentences; null when none are. */
  notice: string | null;
  /** True for a PDF, false for an image. */
  hasText: boolean;
  /** Null until all pages are prepared, and for images. */
  reading: FileReading | null;
};

/** The number of pages that a preview shows. */
export const shownPages = 3;

/** A payment whose result is unknown. */
export type Unsettled = {
  orderId: string;
  amount: string;
  startedOn: string;
  /** True once the buyer came back; until then it may still be open in another tab. */
  hasProviderCallback: boolean;
};

export type SubmissionProps = {
  service: Offer;
  draft: Draft;
  previews: DraftPreview[];
  step: Step;
  phone: string;
  /** The first values of the fields for the State and the GSTIN; null if the seller isn't registered for GST. */
  place: OfferedPlace | null;
  unsettled: Unsettled | undefined;
  brief: OfferedBrief;
  errors: Record<string, string>;
  values: Record<string, string>;
};

/** A problem, as a toast shows it. */
type Problem = { title: string; description: string };

/** Returns the target of uploads and changes of a draft: a type of review, or the earlier review of a second look. */
export function getDraftTarget({ type, secondLookOf }: ServiceKey): string {
  return secondLookOf ?? type;
}

/** The steps of buying a review, in order. */
export function listSubmissionSteps({ needs }: Service): Step[] {
  return [...parts.filter((part) => needs[part]), "payment"];
}

/** Checks whether the part is missing: a portfolio is a file, an address, or both. */
export function isPartMissing(part: Part, draft: Record<keyof Gathered, unknown>): boolean {
  return part === "resume" ? !draft.resume : !draft.portfolio && !draft.portfolioUrl;
}

/** Returns the first part that the service needs and the draft lacks; null when it can be paid. */
export function findMissingPart(
  service: Service,
  draft: Record<keyof Gathered, unknown>,
): Part | null {
  return parts.find((part) => service.needs[part] && isPartMissing(part, draft)) ?? null;
}

/**
 * Decides which step to open: the requested one or, if it is missing, unknown or out of reach, the furthest step
 * that the draft allows. A customer who returns to a complete draft can pay right away.
 */
export function getStepToShow(service: Service, draft: Gathered, requested: string | null): Step {
  const furthest = findMissingPart(service, draft) ?? "payment";
  const reachable = listSubmissionSteps(service);
  reachable.splice(reachable.indexOf(furthest) + 1);
  return reachable.find((step) => step === requested) ?? furthest;
}

/** Finds the service of a path such as "/services/resume-review". Like the router, it ignores case. */
export function findServiceByPath(path: string): Service | undefined {
  const plain = path.toLowerCase().replace(/\/$/, "");
  return Object.values(services).find((service) => service.path === plain);
}

/** Formats the message for an address that another tab has saved or removed. */
export function formatAddressConflict(current: string | null): string {
  const change = current ? `changed this link to ${current}` : "removed this link";
  return `Another tab or window ${change}. Press Continue again to use the link in the field instead.`;
}

/** The message when the materials changed after the customer checked them. */
export const materialsChanged =
  "Your materials changed in another tab or window. Please check them again before you pay.";

/** Formats the message when the page showed another price than today's. */
export function formatPriceChange(price: string): string {
  return `The price of this review is now ${price}. You haven't been charged. Please check the price before you pay.`;
}

/** Returns why a draft with files in these states can't be paid yet; null if it can. */
export function findCopyProblem(copies: readonly (CopyState | undefined)[]): string | null {
  if (copies.includes("failed"))
    return "We couldn't make your blacked-out copy. Try again or use your original before you pay.";
  return copies.includes("coming")
    ? "We're still making your blacked-out copy. You can pay as soon as it's ready."
    : null;
}

/** The message when the draft was paid for or emptied in another tab. */
export const materialsGone =
  "You paid for these materials or removed them in another tab or window. Your reviews are on your profile.";

/** The message for a person who checked an address that the draft no longer has. */
export const anotherAddress =
  "The link changed in another tab or window. Please check the new one.";

export const missingParts: Readonly<Record<Part, Problem>> = {
  resume: {
    title: "Missing information",
    description: `Please upload your resume as a ${uploadRules.resume.types}`,
  },
  portfolio: {
    title: "Missing information",
    description: "Please provide either a file or a URL",
  },
};

export const phoneProblem = "Please enter a 10-digit phone number, or leave this empty";

/**
 * Normalizes a phone number for the payment provider: "+91 98765-43210" becomes "9876543210".
 *
 * @returns null for anything but an Indian number
 */
export function normalizePhone(text: string): string | null {
  const bare = toPlainDigits(text.normalize("NFKC")).replace(/[\s\p{Pd}\u2212().]/gu, "");
  return /^(?:(?:\+|00)?91|0)?(\d{10})$/.exec(bare)?.[1] ?? null;
}
