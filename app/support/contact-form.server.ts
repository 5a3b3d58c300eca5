import { z } from "zod";

/** One line for a mail's header or a list: control characters become spaces. */
const oneLine = z
  .string()
  .default("")
  .transform((text) => text.replace(/\p{Cc}+/gu, " ").trim());

/** Several lines; other control characters have no place in a text, and PostgreSQL refuses one of them. */
const someLines = z
  .string()
  .default("")
  .transform((text) =>
    text
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]/gu, "")
      .trim(),
  );

const length = (field: string, least: number, most: number) =>
  z
    .string()
    .min(least, `${field} must be at least ${least} characters.`)
    .max(most, `${field} must be at most ${most} characters.`);

/** The contact page's form; the two fields at its end are the spam trap. */
export const contactForm = z.object({
  name: oneLine.pipe(length("Name", 2, 120)),
  email: oneLine
    .transform((text) => text.toLowerCase())
    .pipe(
      z
        .email("Please enter a valid email address.")
        .max(254, "Please enter a valid email address."),
    ),
  subject: oneLine.pipe(length("Subject", 5, 200)),
  message: someLines.pipe(length("Message", 10, 5000)),
  topic: z.string().default(""),
  renderedAt: z.string().default(""),
});

export type ContactForm = z.output<typeof contactForm>;
