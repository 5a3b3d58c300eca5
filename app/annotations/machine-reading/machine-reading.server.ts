import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { isBlackedOut } from "../../reviews/black-outs.server.ts";
import type { Part } from "../../reviews/rubric.ts";
import {
  findPartFile,
  type HandedIn,
  listPages,
  listPageTexts,
} from "../document-pages/pages.server.ts";
import type { Finding } from "./file-reading.ts";
import { listFindings } from "./findings.server.ts";

/** The text of a part as software reads it, with its problems. */
export type MachineReading = Awaited<ReturnType<typeof listMachineReadings>>[number];

/**
 * Lists how software reads each part that has pages, the resume first. Check permission before calling it.
 */
export async function listMachineReadings(db: Database, reviewId: string) {
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, reviewId));
  if (!review) return [];
  const parts = await listPages(db, review);
  const copies = await listBlackedOutParts(db, review);
  const readings = await Promise.all(
    parts.map(async ({ part, pageCount, notice }) => {
      if (copies.includes(part)) return { part, findings: [blackedOut], pages: [] };
      const pages = await listPageTexts(db, review, part);
      // Findings need the complete file: in a partial one, missing text proves nothing.
      const isWhole = pages.length > 0 && notice === null;
      return {
        part,
        findings: isWhole ? listFindings(part, pages, pageCount ?? pages.length) : [],
        pages: pages.map(({ number, text }) => ({ number, text: text.trim() })),
      };
    }),
  );
  return readings.filter(({ findings, pages }) => findings.length + pages.length > 0);
}

/** A copy without text is no fault of the customer's file. */
const blackedOut: Finding = {
  isProblem: false,
  text: "The customer blacked out parts of this file. You see a copy without text, so this says nothing of how software reads their own file.",
};

/** Lists the parts whose file is a blacked-out copy. */
export async function listBlackedOutParts(db: Database, review: HandedIn): Promise<Part[]> {
  const parts: Part[] = ["resume", "portfolio"];
  const areCopies = await Promise.all(
    parts.map(async (part) => {
      const file = findPartFile(review, part);
      return file !== null && (await isBlackedOut(db, file));
    }),
  );
  return parts.filter((_, index) => areCopies[index]);
}
