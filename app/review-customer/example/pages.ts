import type { ReviewPrices } from "../../platform/config.server.ts";
import { formatPrices, services } from "../../reviews/rules.ts";
import type { PublicPage } from "../../ui/meta.ts";

export const exampleReviewPath = "/services/example-review";

export function buildExampleReviewPage(prices: ReviewPrices): PublicPage {
  const { both } = formatPrices(prices);
  return {
    path: exampleReviewPath,
    title: "An Example Review",
    description: `A complete ${services.combined_review.shortLabel} for ${both}: a summary, scores, and remarks pinned to a made-up resume, portfolio and website.`,
    card: {
      eyebrow: "Example review",
      headline: "See what a review says, and where",
      facts: ["Remarks on the page", `Both for ${both}`],
      hasPlate: true,
    },
  };
}
