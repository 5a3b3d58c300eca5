import type { PublicPage } from "../../ui/meta.ts";
import { offer, services } from "../../reviews/rules.ts";

const { resume_review, combined_review } = services;

export const servicesPage: PublicPage = {
  path: "/services",
  title: "Professional Review Services",
  description: `Reviews of resumes and portfolios by industry professionals and IIT alumni: ${offer.resume} each, ${offer.both} for both, within ${resume_review.turnaroundHours} or ${combined_review.turnaroundHours} hours.`,
  card: {
    eyebrow: "Services",
    headline: "Get your work reviewed by an expert",
    facts: [`Resume ${offer.resume}`, `Portfolio ${offer.portfolio}`, `Both ${offer.both}`],
  },
};

export const exampleReviewPage: PublicPage = {
  path: "/services/example-review",
  title: "An Example Review",
  description: `A complete ${combined_review.shortLabel} for ${offer.both}: a summary, scores, and remarks pinned to a made-up resume, portfolio and website.`,
  card: {
    eyebrow: "Example review",
    headline: "See what a review says, and where",
    facts: ["Remarks on the page", "Scores with reasons", `Both for ${offer.both}`],
  },
};
