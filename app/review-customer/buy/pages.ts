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
    hasPlate: true,
  },
};
