import { z } from "zod";
import { serviceTypes } from "../rules.ts";

/** What an order for a review keeps of it: the materials as they were when the payment began. */
export const reviewPurpose = z.object({
  kind: z.literal("review"),
  draftId: z.guid(),
  draftRevision: z.int(),
  serviceType: z.enum(serviceTypes),
  /** Path in the bucket "resumes". */
  resumePath: z.string().nullable(),
  /** Path in the bucket "portfolios". */
  portfolioPath: z.string().nullable(),
  portfolioUrl: z.string().nullable(),
});

export type ReviewPurpose = z.output<typeof reviewPurpose>;
