import { createHash } from "node:crypto";
import { type ChangedField, listTextParts } from "../../ui/differences/list-text-parts.server.ts";
import { companies, companyChanges } from "../tables.server.ts";

/** A company's page as it is published, or as its members want it. */
export type CompanyPage = {
  name: string;
  website: string;
  about: string;
  logoHash: string | null;
};

export const pageColumns = {
  name: companies.name,
  website: companies.website,
  about: companies.about,
  logoHash: companies.logoHash,
};

export const changeColumns = {
  name: companyChanges.name,
  website: companyChanges.website,
  about: companyChanges.about,
  logoHash: companyChanges.logoHash,
};

/** Returns the version of a page, which is the same for the same text and logo. */
export function getPageVersion({ name, website, about, logoHash }: CompanyPage): string {
  return createHash("sha256")
    .update(JSON.stringify([name, website, about, logoHash]))
    .digest("hex");
}

const labels = { name: "Company name", website: "Website", about: "About the company" } as const;
const names = ["name", "website", "about"] as const;

/** Lists the texts that a change of a page changes. Logos are shown beside each other. */
export function listPageDifferences(page: CompanyPage, change: CompanyPage): ChangedField[] {
  return names
    .filter((name) => page[name] !== change[name])
    .map((name) => ({ label: labels[name], parts: listTextParts(page[name], change[name]) }));
}

/** Describes a change of a page for the history, without its text. */
export function describePageChange(page: CompanyPage, change: CompanyPage) {
  const changed = listPageDifferences(page, change).map(({ label }) => label);
  if (page.logoHash !== change.logoHash) changed.push("Logo");
  return { changed: changed.join(", ") };
}
