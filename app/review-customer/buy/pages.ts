import type { PublicPage } from "../../ui/meta.ts";
import { offer, services } from "../../reviews/rules.ts";

const { resume_review, combined_review } = services;

export const servicesPage: PublicPage = {
  path: "/services",
  title: "Professional Review Services",
  description: `Reviews of resumes and portfolios by industry professionals and IIT alumni: ${offer.resume} each, ${offer.both} for both, within ${resume_review.turnaroundHours} or ${combined_review.turnaroundHours} hours.`,
  card: {
    eyebrow: "Services",
    headline: "Have your work read by an expert",
    facts: [`Resume ${offer.resume}`, `Portfolio ${offer.portfolio}`, `Both ${offer.both}`],
  },
};

export const exampleReviewPage: PublicPage = {
  path: "/services/example-review",
  title: "An Example Review",
  description: `A whole ${combined_review.shortLabel} as ${offer.both} buys it: summary, scores, and remarks pinned to a resume, a portfolio and a website that were made up for it.`,
  card: {
    eyebrow: "Example review",
    headline: "See what a review says, and where",
    facts: ["Remarks on the page", "Scores with reasons", `Both for ${offer.both}`],
  },
};
