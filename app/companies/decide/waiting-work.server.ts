import type { WaitingWork } from "../../accounts/waiting-work.ts";
import { countClaims } from "./list-companies.server.ts";
import { countPageChanges } from "./list-page-changes.server.ts";

export const claimsToDecide: WaitingWork = {
  name: "claims",
  one: "person wants to post for an existing company",
  several: "people want to post for existing companies",
  action: "Decide about them",
  to: "/admin/companies/claims",
  count: countClaims,
};

export const pagesToDecide: WaitingWork = {
  name: "company-pages",
  one: "company changed its page",
  several: "companies changed their pages",
  action: "Read the changes",
  to: "/admin/companies/pages",
  count: countPageChanges,
};
