/** Erases a contact from texts and from the states of events. Pure. */
import { normalizeLine } from "../../jobs/contact/parse-contact.ts";
import {
  type ContactFields,
  decodeText,
  isContact,
  listPhones,
  toPhoneKey,
  toText,
} from "../../jobs/contact/addresses-and-phones.ts";

/** The marker in place of an erased text. */
const erased = "(removed)";

/** The texts that identify a contact. */
export type PersonTexts = { email: string; names: string[]; phones: string[] };

/** Erases a contact and leaves the rest as it is. */
export type Eraser = {
  /** Erases their address, names and phone numbers from a text. */
  eraseText: (text: string) => string;
  /** Erases them from the state of a listing in an event, in every depth. */
  eraseState: (state: unknown) => unknown;
};

/**
 * Collects the names and phone numbers that listings and events have for an address.
 *
 * @param states listings, and the states before and after events. In an event, a name without any contact may be
 * theirs, so it counts as theirs.
 */
export function listPersonTexts(email: string, states: unknown[]): PersonTexts {
  const names = new Set<string>();
  const phones = new Set<string>();
  for (const state of states.filter(isRecord)) {
    const hasContact = state.pocContact || state.checkEmail;
    if (hasContact && !isContact(state, email)) continue;
    const name = toText(state.pocName);
    if (name) names.add(name);
    if (hasContact) for (const phone of listPhones(toText(state.pocContact))) phones.add(phone);
  }
  return { email, names: [...names], phones: [...phones] };
}

/** Creates an eraser for a contact. */
export function createEraser({ email, names, phones }: PersonTexts): Eraser {
  const patterns = [
    buildAddressPattern(email),
    ...names.flatMap(buildPersonPatterns),
    ...phones.flatMap(buildPhonePatterns),
  ];
  const isNamed = (text: string) => patterns.some((pattern) => text.search(pattern) >= 0);
  const eraseText = (text: string) =>
    patterns
      .reduce((left, pattern) => left.replace(pattern, erased), text)
      .replace(/\S+/g, (word) => (listDecodings(word).some(isNamed) ? erased : word));
  const isTheirs = (field: string, value: unknown, state: ContactFields) =>
    contactFields.has(field) &&
    value !== null &&
    (isContact(state, email) || (field === "pocName" && names.includes(toText(value) ?? "")));
  const eraseState = (state: unknown): unknown => {
    if (typeof state === "string") return eraseText(state);
    if (Array.isArray(state)) return state.map(eraseState);
    if (!isRecord(state)) return state;
    const fields = Object.entries(state).map(([field, value]) => [
      field,
      isTheirs(field, value, state) ? erased : eraseState(value),
    ]);
    return Object.fromEntries(fields);
  };
  return { eraseText, eraseState };
}

/** Lists what an encoded word says: as in the address of a page, where a plus is a space, and as in HTML. */
function listDecodings(word: string): string[] {
  const decodings = [word, word.replaceAll("+", " ")].map((text) =>
    normalizeLine(decodeText(text)),
  );
  return decodings.filter((text) => text !== word);
}

const contactFields = new Set(["pocName", "pocContact", "checkEmail"]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Matches the address, but not as a part of a longer one. */
function buildAddressPattern(email: string): RegExp {
  const before = String.raw`(?<![\p{L}\p{N}._%+-])`;
  const after = String.raw`(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])`;
  return new RegExp(before + escapePattern(email) + after, "giu");
}

/**
 * Matches a name as full words. A single word matches only in the same case, since it may be an ordinary word too. The
 * name of a team identifies no person.
 */
function buildPersonPatterns(name: string): RegExp[] {
  const words = name.split(/[^\p{L}\p{M}\p{N}.'’-]+/u).filter(Boolean);
  const letters = words.join("").replace(/[^\p{L}\p{N}]/gu, "");
  if (letters.length < 2 || words.some((word) => teamWords.has(word.toLowerCase()))) return [];
  const text = words.map(escapePattern).join(String.raw`\s+`);
  const letter = String.raw`[\p{L}\p{M}\p{N}]`;
  return [new RegExp(`(?<!${letter})${text}(?!${letter})`, words.length === 1 ? "gu" : "giu")];
}

const teamWords = new Set([
  "admin",
  "careers",
  "desk",
  "hiring",
  "hr",
  "jobs",
  "office",
  "people",
  "recruiting",
  "recruitment",
  "studio",
  "talent",
  "team",
]);

/** Matches the last ten digits of a number in any format and script, with the country code before them. */
function buildPhonePatterns(phone: string): RegExp[] {
  const digits = toPhoneKey(phone);
  if (digits.length < 7) return [];
  const gap = String.raw`[\s().\p{Pd}\u00ad\u200b-\u200f\u2060]*`;
  const code = String.raw`(?:\+?\p{Nd}{1,4}${gap})?`;
  const number = Array.from(digits, (digit) => `[${listForms(Number(digit))}]`).join(gap);
  return [new RegExp(String.raw`(?<!\p{Nd})${code}${number}(?!\p{Nd})`, "gu")];
}

/** The zeros of Latin, full-width, Arabic and Indian digits. */
const zeros = "0０٠۰०০੦૦୦௦౦೦൦";

function listForms(digit: number): string {
  return Array.from(zeros, (zero) => String.fromCodePoint(zero.codePointAt(0)! + digit)).join("");
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
