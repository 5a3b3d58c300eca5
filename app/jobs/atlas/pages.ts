import type { PublicPage } from "../../ui/meta.ts";

export const atlasPage: PublicPage = {
  path: "/jobs/map",
  title: "Map of Design Jobs",
  description: "Open design jobs in India by city, on a map and as a list.",
  card: {
    eyebrow: "Jobs",
    headline: "Open design jobs, by city",
    facts: ["Across India", "Remote and abroad"],
  },
};
