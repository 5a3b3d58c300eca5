import { toSearchForm } from "../../platform/text/text.ts";

/**
 * Names the company of a listing, for the record of its replies. A listing without a page of its company has only a text,
 * so that the spellings of one name are the same company: "Acme Pvt. Ltd." and "acme". Their record is never mixed with
 * that of a company with a page, whose name anyone can type.
 */
export function toCompanyKey({
  companyId,
  company,
}: {
  companyId: string | null;
  company: string;
}): string {
  return companyId === null ? `name:${normalizeCompany(company)}` : companyKeyPrefix + companyId;
}

/** The start of the key of a company with a page, before its id. */
export const companyKeyPrefix = "company:";

const legalForm = /(?: (?:p|pvt|private) (?:ltd|limited)| (?:ltd|limited|pvt|llp|opc|inc|llc))+$/;

function normalizeCompany(name: string): string {
  const searched = toSearchForm(name).trim();
  const words = searched.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
  // A name of signs alone.
  return words.replace(legalForm, "") || searched;
}
