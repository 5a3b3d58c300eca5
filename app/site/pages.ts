import type { ReviewPrices } from "../platform/config.server.ts";
import { formatPrices } from "../reviews/rules.ts";
import type { PublicPage } from "../ui/meta.ts";

export function buildHomePage(prices: ReviewPrices): PublicPage {
  const { lowest } = formatPrices(prices);
  return {
    path: "/",
    title: "Design jobs with a real person to ask",
    description: `Design jobs in India, each with a real point of contact at the company, and expert reviews of resumes and portfolios from ${lowest}.`,
    card: {
      eyebrow: "A chart for a design career",
      headline: "Design jobs with a real person to ask",
      facts: ["Jobs across India", `Expert reviews from ${lowest}`],
      hasPlate: true,
    },
  };
}

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
