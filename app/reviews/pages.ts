import type { PublicPage } from "../ui/meta/published.ts";

export const servicesPage: PublicPage = {
  path: "/services",
  title: "Professional Review Services",
  description:
    "Reviews of resumes and portfolios by industry professionals and IIT alumni: ₹199 each, ₹299 for both, within 48 or 24 hours.",
  card: {
    kicker: "Services",
    headline: "Have your work read by an expert",
    facts: ["Resume ₹199", "Portfolio ₹199", "Both ₹299"],
  },
};
