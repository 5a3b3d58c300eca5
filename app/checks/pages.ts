import type { PublicPage } from "../ui/meta.ts";

export const removedPage: PublicPage = {
  path: "/jobs/removed",
  title: "Removed Listings",
  description: "How many job listings we removed after reports, by month and reason.",
  card: {
    eyebrow: "Jobs",
    headline: "Listings we removed",
    facts: ["By month", "With the reason"],
  },
};
