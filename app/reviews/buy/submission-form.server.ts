import { z } from "zod";
import { invalidUrl, isWebAddress } from "../addresses.ts";
import { cleanPhone, phoneProblem } from "./submission.ts";

/** Empty means: none. */
const portfolioUrl = z
  .string()
  .trim()
  .refine((text) => text === "" || isWebAddress(text), invalidUrl.description)
  .transform((text) => text || null);

/** Empty means: none. */
const phone = z
  .string()
  .trim()
  .refine((text) => text === "" || cleanPhone(text) !== null, phoneProblem)
  .transform((text) => cleanPhone(text));

/** Everything that the screens of a submission send, but for files. */
export const submissionForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save-portfolio"),
    portfolioUrl,
    /** The address that stood in the field when it was shown. */
    seen: z
      .string()
      .transform((text) => text || null)
      .optional(),
  }),
  z.object({ intent: z.literal("remove-resume") }),
  z.object({ intent: z.literal("remove-portfolio") }),
  z.object({
    intent: z.literal("pay"),
    phone,
    /** The unsettled payment that the payer was told of. */
    despite: z.string().max(64).optional(),
  }),
]);
