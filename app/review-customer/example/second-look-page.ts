import type { PublicPage } from "../../ui/meta.ts";

/** In a file of its own, since all public pages load `pages.ts`. */
export const exampleSecondLookPage: PublicPage = {
  path: "/services/example-review/second-look",
  title: "An Example Second Look",
  description:
    "A second look at a made-up designer's new resume and portfolio: each earlier remark before and after, and whether it is solved.",
  card: {
    eyebrow: "Example second look",
    headline: "See what changed, and what is still open",
    facts: ["Each remark before and after", "Scores beside the earlier ones"],
    hasPlate: true,
  },
};
