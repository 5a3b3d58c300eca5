/** Parses the contact of a listing: its addresses and phone numbers. Pure. */
import { parseContact } from "../../jobs/contact.ts";
import { normalizeEmail } from "../../platform/text/text.ts";

/** The fields that name a contact, in a listing or in its state in an event, where some may be missing. */
export type ContactFields = { pocName?: unknown; pocContact?: unknown; checkEmail?: unknown };

/** Lists the addresses in a public contact, normalized. */
export function listAddresses(contact: string | null): string[] {
  return [...new Set(listContactTexts(contact, "mail").map(normalizeEmail))];
}

/** Lists the phone numbers in a public contact, as written. */
export function listPhones(contact: string | null): string[] {
  return listContactTexts(contact, "phone");
}

function listContactTexts(contact: string | null, kind: "mail" | "phone"): string[] {
  const { parts } = parseContact(contact ?? "");
  return parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
}

/** Checks whether fields name this address as the contact. */
export function isContact({ pocContact, checkEmail }: ContactFields, email: string): boolean {
  return (
    listAddresses(toText(pocContact)).includes(email) ||
    normalizeEmail(toText(checkEmail) ?? "") === email
  );
}

/** Returns a text of a field; null for anything else. */
export function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
