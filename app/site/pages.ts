import { offer } from "../reviews/rules.ts";
import type { PublicPage } from "../ui/meta.ts";

export const homePage: PublicPage = {
  path: "/",
  title: "Design jobs with a real person to ask",
  description: `Design jobs in India, each with a real point of contact at the company, and expert reviews of resumes and portfolios from ${offer.lowest}.`,
  card: {
    eyebrow: "A chart for a design career",
    headline: "Design jobs with a real person to ask",
    facts: ["Jobs across India", `Expert reviews from ${offer.lowest}`],
    hasPlate: true,
  },
};

export const aboutPage: PublicPage = {
  path: "/about",
  title: "About",
  description:
    "Why we draw a map for design careers in India: transparency, community and growth, real people to ask, and expert reviews.",
  card: {
    eyebrow: "About",
    headline: "Why we draw a map for design careers",
    facts: ["Transparency", "Community", "Growth"],
  },
};
