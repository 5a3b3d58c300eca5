/** Parses the contact of a listing: its addresses and phone numbers. Pure. */
import { toPlainDigits } from "../../platform/text/phone-numbers.ts";
import { normalizeEmail } from "../../platform/text/text.ts";
import { normalizeLine, parseContact } from "./parse-contact.ts";

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

/** The addresses and phone numbers in texts, normalized. */
type ReachableContacts = { addresses: string[]; phones: string[] };

/** Lists every address and phone number in texts of any kind, also inside of links and as encoded characters. */
export function listReachableContacts(texts: readonly (string | null)[]): ReachableContacts {
  const [addresses, phones] = [new Set<string>(), new Set<string>()];
  for (const text of new Set(texts.flatMap((text) => (text ? [text, decodeText(text)] : [])))) {
    for (const [word] of normalizeLine(text).matchAll(addressPattern))
      addresses.add(normalizeEmail(word.replace(/^[.'`*!_-]+|[.'`*!_-]+$/g, "")));
    // A link such as https://wa.me/919876543210 ends at none of these characters.
    for (const phone of listPhones(text.replace(/[/?=&]/g, " "))) phones.add(toPhoneKey(phone));
  }
  return { addresses: [...addresses], phones: [...phones] };
}

/** The same characters as `emails_in` in SQL. */
const addressPattern =
  /[^\s<>()[\]{},;:|/\\"“”„‘’«»–—?=&@]+@[^\s<>()[\]{},;:|/\\"“”„‘’«»–—?=&@]+/gu;

/** Decodes characters that are written as in addresses of pages (%40) or in HTML (&#64;). */
export function decodeText(text: string): string {
  const decoded = text
    .replace(/&#(?:x([\da-f]{1,5})|(\d{1,6}));?/gi, (_all, hex?: string, number?: string) =>
      String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(number)),
    )
    .replace(
      /&(commat|period|plus|lowbar|hyphen);/gi,
      (_all, name: string) => entities[name.toLowerCase()]!,
    )
    .replace(/(?:%[\da-f]{2})+/gi, decodeAddressCodes);
  return decoded === text ? text : decodeText(decoded);
}

const entities: Record<string, string> = {
  commat: "@",
  period: ".",
  plus: "+",
  lowbar: "_",
  hyphen: "-",
};

function decodeAddressCodes(codes: string): string {
  try {
    return decodeURIComponent(codes);
  } catch {
    return codes;
  }
}

/** Returns the digits that are the same in each format of a phone number. */
export function toPhoneKey(phone: string): string {
  return toPlainDigits(phone).replace(/\D/g, "").slice(-10);
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
