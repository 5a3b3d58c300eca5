import type { PublicPage } from "../ui/meta.ts";

export const postPage: PublicPage = {
  path: "/post",
  title: "Post a Design Job",
  description: "Post a design job for free. We read every listing before it goes online.",
  card: {
    eyebrow: "For employers",
    headline: "Post a design job",
    facts: ["Free", "Checked by us", "Newest first"],
  },
};
