import type { PublicPage } from "../../ui/meta.ts";

export const trustPage: PublicPage = {
  path: "/trust",
  title: "Trust",
  description:
    "What we promise and how often we keep it, in numbers. Our check against the 13 dark patterns.",
  card: {
    eyebrow: "Trust",
    headline: "What we promise, and how often we keep it",
    facts: ["Counted, not claimed", "No dark patterns"],
  },
};

export const accessibilityPage: PublicPage = {
  path: "/accessibility",
  title: "Accessibility",
  description: "The standard we follow, how we test it, what doesn't work yet, and how to tell us.",
  card: {
    eyebrow: "Accessibility",
    headline: "Built for every way of using the web",
    facts: ["WCAG 2.2 AA", "What doesn't work yet"],
  },
};
