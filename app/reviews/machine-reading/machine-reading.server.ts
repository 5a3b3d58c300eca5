import { eq } from "drizzle-orm";
import type { Database } from "../../platform/database.server.ts";
import { listPages, listPageTexts } from "../pages/list-pages.server.ts";
import type { Part } from "../rubric.ts";
import { serviceReviews } from "../tables.server.ts";
import { type Finding, findingsOf } from "./findings.ts";

/** A part of a review as software reads it. */
export type MachineReading = {
  part: Part;
  findings: Finding[];
  pages: { number: number; text: string }[];
};

/** Reads the parts of a review that have pages as software does, the resume first. Who may see it was decided before. */
export async function readByMachine(db: Database, reviewId: string): Promise<MachineReading[]> {
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.id, reviewId));
  if (!review) return [];
  const parts = await listPages(db, review);
  const readings = await Promise.all(
    parts.map(async ({ part, pageCount, notice }) => {
      const pages = await listPageTexts(db, review, part);
      // Of a file that is not read to its end, nothing can be said to be missing.
      const isWhole = pages.length > 0 && notice === null;
      return {
        part,
        findings: isWhole ? findingsOf(part, pages, pageCount ?? pages.length) : [],
        pages: pages.map(({ number, text }) => ({ number, text: text.trim() })),
      };
    }),
  );
  return readings.filter(({ pages }) => pages.length > 0);
}
