/** The State and the GSTIN of a buyer, as asked before payment. */
import { findGstinFault, findGstinState } from "../../platform/india/gstin.ts";
import { indianStates } from "../../platform/india/states.ts";

/** The place of a buyer for GST, and the GSTIN of their company. */
export type BuyerPlace = {
  /** A State, a Union Territory or {@link outsideIndia}. */
  state: string;
  gstin: string | null;
};

export const outsideIndia = "Outside India";

/** The choices of the field "State". */
export const buyerStates: readonly string[] = [...indianStates, outsideIndia];

/** The texts that the two fields start with, and the choices, which scripts needn't bring. */
export type OfferedPlace = { state: string; gstin: string; states: readonly string[] };

/** The texts of the two fields as typed. */
export type TypedPlace = { state?: string; gstin?: string };

/**
 * Checks the State and the GSTIN of a buyer. A GSTIN decides the State, so with one the State may be missing.
 *
 * @returns the place, or a message for each field
 */
export function parseBuyerPlace({
  state = "",
  gstin: typed = "",
}: TypedPlace): { place: BuyerPlace } | { errors: Record<string, string> } {
  const gstin = normalizeGstin(typed);
  const fault = gstin ? findGstinFault(gstin) : null;
  const errors: Record<string, string> = {};
  if (fault) errors.gstin = `Please check this GSTIN, or leave it empty. ${fault}`;
  const registered = gstin && !fault ? findGstinState(gstin) : undefined;
  const isKnown = buyerStates.includes(state);
  if (!isKnown && !registered) errors.state = "Please choose your State";
  if (isKnown && registered && state !== registered)
    errors.state = `This GSTIN belongs to ${registered}. Please choose that, or correct the GSTIN.`;
  if (Object.keys(errors).length > 0) return { errors };
  return { place: { state: registered ?? state, gstin: gstin || null } };
}

/** Small letters, spaces and hyphens don't change a GSTIN. */
function normalizeGstin(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\s\p{Pd}]/gu, "")
    .toUpperCase();
}
