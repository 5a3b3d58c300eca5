import { z } from "zod";
import { cleanLine, cleanLines } from "./text.ts";

/** A field of one line, for a mail's header or a list; one that a form lacks is empty. */
export const line = z.string().default("").transform(cleanLine);

/** A field of several lines; one that a form lacks is empty. */
export const lines = z.string().default("").transform(cleanLines);
