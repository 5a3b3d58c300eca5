import { offer, services } from "../../reviews/rules.ts";
import type { PublicPage } from "../../ui/meta.ts";

const { combined_review } = services;

export const exampleReviewPage: PublicPage = {
  path: "/services/example-review",
  title: "An Example Review",
  description: `A complete ${combined_review.shortLabel} for ${offer.both}: a summary, scores, and remarks pinned to a made-up resume, portfolio and website.`,
  card: {
    eyebrow: "Example review",
    headline: "See what a review says, and where",
    facts: ["Remarks on the page", `Both for ${offer.both}`],
    hasPlate: true,
  },
};
