import type { Database } from "../../platform/database.server.ts";
import type { HandedIn } from "../pages/ensure-pages.server.ts";
import { listPages, listPageTexts } from "../pages/list-pages.server.ts";
import type { Part } from "../rubric.ts";
import { type Finding, findingsOf } from "./findings.ts";

/** A part of a review as software reads it. */
export type MachineReading = {
  part: Part;
  findings: Finding[];
  pages: { number: number; text: string }[];
  /** Why not all of it is there, in whole sentences; null when it is. */
  notice: string | null;
};

/** Reads what was handed in as software does, the resume first. Who may see it was decided before. */
export async function readByMachine(db: Database, review: HandedIn): Promise<MachineReading[]> {
  const parts = await listPages(db, review);
  return Promise.all(
    parts.map(async ({ part, pageCount, notice }) => {
      const pages = await listPageTexts(db, review, part);
      // Of a file that is not read to its end, nothing can be said to be missing.
      const isWhole = pages.length > 0 && notice === null;
      return {
        part,
        findings: isWhole ? findingsOf(part, pages, pageCount ?? pages.length) : [],
        pages: pages.map(({ number, text }) => ({ number, text: text.trim() })),
        notice,
      };
    }),
  );
}
