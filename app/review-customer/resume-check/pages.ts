import { formatBytes, uploadRules } from "../../files/rules.ts";
import type { PublicPage } from "../../ui/meta.ts";

export const resumeCheckPage: PublicPage = {
  path: "/services/resume-check",
  title: "Free Resume Check",
  description:
    "See what software reads in your resume: text, reading order, links and fonts. Free, without an account, and we don't store your file.",
  card: {
    eyebrow: "Free check",
    headline: "See what software reads in your resume",
    facts: [
      "Free, no account",
      "Your file isn't stored",
      `PDF up to ${formatBytes(uploadRules.resume.maxBytes)}`,
    ],
  },
};
