import type { PublicPage } from "../../ui/meta.ts";

export const boardPage: PublicPage = {
  path: "/jobs",
  title: "Design Jobs Board",
  description: "Design jobs across India, each with a real person to contact.",
  card: {
    eyebrow: "Jobs",
    headline: "Design Jobs Board",
    facts: ["Across India", "Each with a real person to contact"],
  },
};
