import { fileAddress } from "../files/rules.ts";
import type { ServiceType } from "./rules.ts";
import { isWebAddress } from "./addresses.ts";

/** One thing that the customer handed in. */
export type Material = {
  label: "Resume" | "Portfolio URL" | "Portfolio file";
  /** Null for an address that is no safe link; then the text is all there is. */
  href: string | null;
  /** What the link says beyond its label: the web address, or the kind of file. */
  text: string;
  /** How it can be read in place; a link can always be followed. */
  shownAs: "pdf" | "image" | "link" | "download";
};

type Submission = {
  serviceType: ServiceType;
  resumeFilePath: string | null;
  portfolioUrl: string | null;
  portfolioFilePath: string | null;
};

/** Every part that a review has: resume, portfolio URL, portfolio file, in this order. */
export function materialsOf({
  resumeFilePath,
  portfolioUrl,
  portfolioFilePath,
}: Submission): Material[] {
  const materials: Material[] = [];
  if (resumeFilePath) materials.push(file("Resume", fileAddress("resumes", resumeFilePath)));
  if (portfolioUrl) {
    const href = isWebAddress(portfolioUrl) ? portfolioUrl : null;
    materials.push({ label: "Portfolio URL", href, text: portfolioUrl, shownAs: "link" });
  }
  if (portfolioFilePath)
    materials.push(file("Portfolio file", fileAddress("portfolios", portfolioFilePath)));
  return materials;
}

/**
 * The one part that a list links: of a combined review the resume, then the portfolio URL, then its
 * file; of a portfolio review the URL, then the file.
 */
export function preferredMaterial(submission: Submission): Material | null {
  const materials = materialsOf(submission);
  if (submission.serviceType !== "portfolio_review") return materials[0] ?? null;
  return materials.find(({ label }) => label !== "Resume") ?? null;
}

function file(label: Material["label"], href: string): Material {
  const extension = /\.(\w{1,5})$/.exec(href)?.[1]?.toLowerCase() ?? "";
  return { label, href, text: extension.toUpperCase() || "File", shownAs: showing(extension) };
}

function showing(extension: string): Material["shownAs"] {
  if (extension === "pdf") return "pdf";
  return ["png", "jpg", "jpeg", "webp", "gif"].includes(extension) ? "image" : "download";
}
