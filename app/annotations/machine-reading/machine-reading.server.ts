import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { listPages, listPageTexts } from "../document-pages/pages.server.ts";
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
  const readings = await Promise.all(
    parts.map(async ({ part, pageCount, notice }) => {
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
  return readings.filter(({ pages }) => pages.length > 0);
}
