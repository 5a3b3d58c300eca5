import type { PublicPage, SocialCard } from "../../ui/meta.ts";
import { descriptionLength } from "../listing/pages.ts";
import { truncateText } from "../rules.ts";

export const companiesPage: PublicPage = {
  path: "/companies",
  title: "Companies",
  description: "Companies that post design jobs here themselves, with their open jobs.",
  card: {
    eyebrow: "Jobs",
    headline: "Companies that post here",
    facts: ["Checked by our team", "With their open jobs"],
  },
};

type PublicCompany = { name: string; slug: string; about: string };

/** Builds a company's page for search engines and link previews. */
export function buildCompanyPage({ name, slug, about }: PublicCompany): PublicPage {
  const start = `Open design jobs at ${name}.`;
  return {
    path: `/companies/${slug}`,
    title: `Design Jobs at ${name}`,
    description: truncateText(
      about ? `${start} ${about.replace(/\s+/g, " ")}` : start,
      descriptionLength,
    ),
    card: buildCompanyCard({ name }),
  };
}

/** Builds the text of a company's preview image. */
export function buildCompanyCard({ name }: Pick<PublicCompany, "name">): SocialCard {
  return { eyebrow: "Companies", headline: `Design jobs at ${name}`, facts: [] };
}
