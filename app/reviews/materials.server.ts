import { and, asc, eq, or } from "drizzle-orm";
import { getFileAddress, readFileAddress } from "../files/rules.ts";
import { storedFiles } from "../files/tables.server.ts";
import type { Database } from "../platform/database.server.ts";
import { isWebAddress, toUploadLink } from "./addresses.ts";
import type { ServiceType } from "./rules.ts";
import { reviewFiles, reviewImages } from "./tables.server.ts";

/** A part of the customer's submission. */
export type Material = {
  label: "Resume" | "Portfolio URL" | "Portfolio file";
  /** Null if the address is not a safe link, so that only the text is shown. */
  href: string | null;
  /** Additional text of the link: the web address, or the kind of file. */
  text: string;
  /** The preview type. The link works in any case. */
  shownAs: "pdf" | "image" | "link" | "download";
};

type Submission = {
  serviceType: ServiceType;
  resumeFilePath: string | null;
  portfolioUrl: string | null;
  portfolioFilePath: string | null;
};

/** Lists the parts of a submission: resume, portfolio URL and portfolio file, in this order. */
export function listMaterials({
  resumeFilePath,
  portfolioUrl,
  portfolioFilePath,
}: Submission): Material[] {
  const materials: Material[] = [];
  if (resumeFilePath)
    materials.push(toFileMaterial("Resume", getFileAddress("resumes", resumeFilePath)));
  if (portfolioUrl) {
    const href = isWebAddress(portfolioUrl) ? portfolioUrl : null;
    materials.push({ label: "Portfolio URL", href, text: portfolioUrl, shownAs: "link" });
  }
  if (portfolioFilePath)
    materials.push(
      toFileMaterial("Portfolio file", getFileAddress("portfolios", portfolioFilePath)),
    );
  return materials;
}

/**
 * Finds the part that lists link to. Combined reviews prefer the resume, then the portfolio URL, then its
 * file; portfolio reviews the URL, then the file.
 */
export function findPreferredMaterial(submission: Submission): Material | null {
  const materials = listMaterials(submission);
  if (submission.serviceType !== "portfolio_review") return materials[0] ?? null;
  return materials.find(({ label }) => label !== "Resume") ?? null;
}

function toFileMaterial(label: Material["label"], href: string): Material {
  const extension = /\.(\w{1,5})$/.exec(href)?.[1]?.toLowerCase() ?? "";
  return {
    label,
    href,
    text: extension.toUpperCase() || "File",
    shownAs: getDisplayMode(extension),
  };
}

function getDisplayMode(extension: string): Material["shownAs"] {
  if (extension === "pdf") return "pdf";
  return ["png", "jpg", "jpeg", "webp", "gif"].includes(extension) ? "image" : "download";
}

/** Changes files that browsers must not show to downloads. */
export async function resolveDisplayModes(
  db: Database,
  materials: Material[],
): Promise<Material[]> {
  const addresses = materials.flatMap(({ href }) => readFileAddress(href ?? "") ?? []);
  if (addresses.length === 0) return materials;
  const toSave = await db
    .select({ bucket: storedFiles.bucket, path: storedFiles.path })
    .from(storedFiles)
    .where(
      and(
        eq(storedFiles.showable, false),
        or(
          ...addresses.map(({ bucket, path }) =>
            and(eq(storedFiles.bucket, bucket), eq(storedFiles.path, path)),
          ),
        ),
      ),
    );
  const hrefs = new Set<string | null>(
    toSave.map(({ bucket, path }) => getFileAddress(bucket, path)),
  );
  return materials.map((material) =>
    hrefs.has(material.href) ? { ...material, shownAs: "download" } : material,
  );
}

/** A reviewer's image with the feedback; `href` is null if the stored address is not a safe link. */
export type HandedImage = { id: string; href: string | null; annotation: string | null };
export type HandedFile = Awaited<ReturnType<typeof listHandedFiles>>[number];

/** Lists the images of a review, oldest first. Check permission before calling it. */
export async function listHandedImages(db: Database, reviewId: string): Promise<HandedImage[]> {
  const rows = await db
    .select()
    .from(reviewImages)
    .where(eq(reviewImages.reviewId, reviewId))
    .orderBy(asc(reviewImages.createdAt), asc(reviewImages.id));
  return rows.map(({ id, imageUrl, annotation }) => ({
    id,
    href: toUploadLink(imageUrl),
    annotation,
  }));
}

/** Lists the files of a review, oldest first. Check permission before calling it. */
export async function listHandedFiles(db: Database, reviewId: string) {
  const rows = await db
    .select()
    .from(reviewFiles)
    .where(eq(reviewFiles.reviewId, reviewId))
    .orderBy(asc(reviewFiles.createdAt), asc(reviewFiles.id));
  return rows.map((row) => ({
    id: row.id,
    href: toUploadLink(row.fileUrl),
    name: row.fileName,
    type: row.fileType,
    description: row.description,
  }));
}
