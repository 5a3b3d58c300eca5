import { z } from "zod";
import { createFieldLengthCheck, lines } from "../../platform/text/text-fields.server.ts";
import { maxReasonLength } from "./decision-rules.ts";

/** The reason that an admin gives for a decision. */
export const decisionReason = lines.pipe(
  z
    .string()
    .min(3, "Enter the reason for your decision")
    .refine(createFieldLengthCheck(maxReasonLength), `Enter at most ${maxReasonLength} characters`),
);
