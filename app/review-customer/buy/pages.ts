import type { ReviewPrices } from "../../platform/config.server.ts";
import type { PublicPage } from "../../ui/meta.ts";
import { formatPrices, services } from "../../reviews/rules.ts";

const { resume_review, combined_review } = services;

export function buildServicesPage(prices: ReviewPrices): PublicPage {
  const { resume, portfolio, single, both } = formatPrices(prices);
  return {
    path: "/services",
    title: "Professional Review Services",
    description: `Reviews of resumes and portfolios by industry professionals and IIT alumni: ${single} each, ${both} for both, within ${resume_review.turnaroundHours} or ${combined_review.turnaroundHours} hours.`,
    card: {
      eyebrow: "Services",
      headline: "Get your work reviewed by an expert",
      facts: [`Resume ${resume}`, `Portfolio ${portfolio}`, `Both ${both}`],
      hasPlate: true,
    },
  };
}
