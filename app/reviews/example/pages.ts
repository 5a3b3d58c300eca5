import type { PublicPage } from "../../ui/meta.ts";
import { offer, services } from "../rules.ts";

const { combined_review } = services;

export const exampleReviewPage: PublicPage = {
  path: "/services/example-review",
  title: "An Example Review",
  description: `A whole ${combined_review.shortLabel} as ${offer.both} buys it: summary, scores, and remarks pinned to a resume, a portfolio and a website that were made up for it.`,
  card: {
    kicker: "Example review",
    headline: "See what a review says, and where",
    facts: ["Remarks on the page", "Scores with reasons", `Both for ${offer.both}`],
  },
};
