import { z } from "zod";
import { severities } from "../../annotations/severities.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { listKeys } from "../../platform/tables.server.ts";

const place = {
  part: z.enum(["resume", "portfolio"]).nullable(),
  page: z.int().nullable(),
  x: z.number().nullable(),
  y: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
};

/** The work of a reviewer, as `handed_back_drafts` stores it. Its rows have the names of their tables' columns. */
export const draftContent = z.object({
  feedback: z.string(),
  remarks: z.array(
    z.object({
      ...place,
      id: z.string(),
      imageId: z.string().nullable(),
      severity: z.enum(listKeys(severities)),
      criterion: z.string().nullable(),
      text: z.string(),
      quote: z.string().nullable(),
      suggestion: z.string().nullable(),
      rank: z.int().min(1).max(3).nullable(),
      createdAt: z.coerce.date(),
    }),
  ),
  scores: z.array(z.object({ criterion: z.string(), score: z.int().min(1).max(5) })),
  answers: z.array(z.object({ position: z.int(), answer: z.string() })),
  outcomes: z.array(
    z.object({
      ...place,
      remarkId: z.string(),
      outcome: z.enum(["solved", "partly", "open"]).nullable(),
      note: z.string().nullable(),
    }),
  ),
  images: z.array(
    z.object({
      id: z.string(),
      imageUrl: z.string(),
      annotation: z.string().nullable(),
      createdAt: z.coerce.date(),
    }),
  ),
  files: z.array(
    z.object({
      fileUrl: z.string(),
      fileName: z.string(),
      fileType: z.string(),
      description: z.string().nullable(),
      createdAt: z.coerce.date(),
    }),
  ),
});

export type DraftContent = z.output<typeof draftContent>;

/** Lists the parts of a draft: "8 remarks", "3 scores", "a summary". It is empty if nothing was written. */
export function listDraftParts(content: DraftContent): string[] {
  const { feedback, remarks, scores, answers, outcomes, images, files } = content;
  const counted = [
    [remarks.length, "remark"],
    [scores.length, "score"],
    [answers.length, "answer"],
    [outcomes.length, "outcome"],
    [images.length, "screenshot"],
    [files.length, "file"],
  ] as const;
  return [
    ...counted.filter(([count]) => count > 0).map(([count, noun]) => countNoun(count, noun)),
    ...(feedback.trim() === "" ? [] : ["a summary"]),
  ];
}
