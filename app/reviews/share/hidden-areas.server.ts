import { z } from "zod";
import { cleanArea } from "../remarks/rules.ts";
import type { HiddenArea } from "./rules.ts";

const mostHidden = 500;

/** Places as a form sends them: a list in JSON. What is none is refused whole. */
export const hiddenAreas = z
  .string()
  .transform((text) => readJson(text))
  .pipe(
    z
      .array(
        z.object({
          part: z.enum(["resume", "portfolio"]),
          page: z.int().min(1).max(99),
          x: z.number(),
          y: z.number(),
          width: z.number(),
          height: z.number(),
        }),
      )
      .max(mostHidden),
  )
  .transform((areas) =>
    areas.flatMap(({ part, page, ...area }): HiddenArea[] => {
      const clean = cleanArea(area);
      return clean && clean.width > 0 && clean.height > 0 ? [{ part, page, ...clean }] : [];
    }),
  );

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
