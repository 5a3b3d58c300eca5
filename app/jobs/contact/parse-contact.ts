/**
 * Parses the free text of a contact: email addresses, links and phone numbers among other words. Pure and safe for
 * the browser.
 */
import { findPhoneNumbers } from "../../platform/text/phone-numbers.ts";
import { cleanLine } from "../../platform/text/text.ts";

/** A part of a contact, in its original order. */
export type ContactPart =
  | { kind: "text"; text: string }
  | { kind: "mail"; text: string; url: `mailto:${string}` }
  | { kind: "phone"; text: string; url: string }
  | { kind: "page"; text: string; url: string };

export type Contact = {
  /** Together, their texts are the original text without invisible characters. */
  parts: ContactPart[];
  /** The page or email that the contact opens; null if it opens nothing. */
  opens: { kind: "page"; url: string } | { kind: "mail"; url: `mailto:${string}` } | null;
};

/**
 * Parses a contact.
 *
 * A contact that starts with a link opens that page. Otherwise it opens an email to all addresses in it.
 *
 * @param value free text, as in `Anu <anu@a.example> / 98765 43210`
 */
export function parseContact(value: string): Contact {
  const text = normalizeLine(value).replace(/ +/g, " ");
  // A space after the @ comes from a line break in the original.
  const joined = text.replace(/([^\s@])@ (?=[^\s@]+\.[^\s@])/g, "$1@");
  const links = findLinks([{ kind: "text", text: joined }]);
  const parts = findPhones(findAddresses(findMailtos(links)));
  return { parts, opens: findOpening(text, parts) };
}

/** Describes what a contact does, as a hint while typing; "" for an empty one. */
export function describeContact(value: string): string {
  const { parts, opens } = parseContact(value);
  if (opens?.kind === "page") return `Opens ${opens.url} in a new tab.`;
  if (opens) return `Opens an email to ${formatPartTexts(parts, "mail")}.`;
  if (parts.some(({ kind }) => kind === "phone"))
    return `Shows this text, with a link to call ${formatPartTexts(parts, "phone")}.`;
  return parts.length > 0 ? "Shows this text. It has no email address, phone number or link." : "";
}

/** Cleans a single line like a form field, and converts full-width characters to plain ones. */
export function normalizeLine(text: string): string {
  return cleanLine(text)
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll("\ufe6b", "@");
}

/** A link ends at a space, a bracket or a quote. Another link may follow a comma. */
const linkPattern = /https?:\/\/(?:(?![,;|]+https?:\/\/)[^\s<>"“”«»])+/giu;

function findLinks(parts: ContactPart[]): ContactPart[] {
  return splitTexts(parts, matchesOf(linkPattern), (_place, address) => {
    const text = removeTrailingPunctuation(address);
    return URL.canParse(text)
      ? [{ kind: "page", text, url: text }, address.slice(text.length)]
      : null;
  });
}

/** Removes punctuation after a link, and encoded invisible characters. */
function removeTrailingPunctuation(link: string): string {
  const cut = link.replace(/(?:[.,;:!?'’*\]}|]|%E2%80%8B|%EF%BB%BF|%C2%AD)+$/i, "");
  const isUnopened = cut.endsWith(")") && countOccurrences(cut, ")") > countOccurrences(cut, "(");
  const shorter = isUnopened ? cut.slice(0, -1) : cut;
  return shorter === link ? link : removeTrailingPunctuation(shorter);
}

function countOccurrences(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

const mailtoPattern = /mailto:([^\s<>"?]+)(?:\?[^\s<>"]*)?/gi;

/** Finds the addresses of `mailto:` links. Subject, copies and other headers are dropped. */
function findMailtos(parts: ContactPart[]): ContactPart[] {
  return splitTexts(parts, matchesOf(mailtoPattern), ({ match: [, to = ""] }) => {
    const addresses = to.split(/[,;]/).map(decodeAddress).filter(Boolean);
    const parts = addresses.map((address) => toMailPart(address));
    if (parts.length === 0 || !parts.every((part) => part !== null)) return null;
    return parts.flatMap((part, index) => (index === 0 ? [part] : [", ", part]));
  });
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Characters between the separators that people put around addresses. */
const wordPattern = /[^\s<>()[\]{},;:|/\\"“”„‘’«»–—]+/gu;

function findAddresses(parts: ContactPart[]): ContactPart[] {
  return splitTexts(parts, matchesOf(wordPattern), (_place, word) => {
    if (!word.includes("@")) return null;
    const before = /^[.'`*]*/.exec(word)![0];
    const after = /(?:\?[^@]*|[.'`*!_-]*)$/.exec(word)![0];
    const part = toMailPart(word.slice(before.length, word.length - after.length));
    return part && [before, part, after.replace(/^\?.+/, "")];
  });
}

const domain =
  /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\p{Join_Control}-]{0,62})\.)+(?=.*[\p{L}\p{M}])[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Join_Control}-]{1,62}$/u;

/** Rejects encoded characters, since decoding them could be exploited. */
const localPart = /^(?!.*%[0-9a-f]{2})[^\s\p{Cc}<>()[\],;:"\\]{1,64}$/iu;

/** Builds an email address with its link, encoded per RFC 6068; null if the text is not exactly one address. */
function toMailPart(address: string): ContactPart | null {
  const [local = "", host = "", ...more] = address.split("@");
  const name = host.replace(/[。．｡]/g, ".");
  if (more.length > 0 || !localPart.test(local) || !local.isWellFormed() || !domain.test(name))
    return null;
  const url = `mailto:${encodeURIComponent(local)}@${encodeURIComponent(name)}` as const;
  return { kind: "mail", text: `${local}@${name}`, url };
}

function findPhones(parts: ContactPart[]): ContactPart[] {
  return splitTexts(parts, findPhoneNumbers, ({ dialed }, text) => [
    { kind: "phone", text, url: `tel:${dialed}` },
  ]);
}

function findOpening(text: string, parts: ContactPart[]): Contact["opens"] {
  const page = parts.find((part) => part.kind === "page");
  if (page && /^[\s<("'“«]*https?:\/\//i.test(text)) return { kind: "page", url: page.url };
  const mails = parts.filter((part) => part.kind === "mail").map(({ url }) => url.slice(7));
  return mails.length > 0 ? { kind: "mail", url: `mailto:${joinUniqueAddresses(mails)}` } : null;
}

function joinUniqueAddresses(mails: string[]): string {
  return [...new Map(mails.map((mail) => [mail.toLowerCase(), mail])).values()].join(",");
}

function formatPartTexts(parts: ContactPart[], kind: ContactPart["kind"]): string {
  const texts = parts.filter((part) => part.kind === kind).map(({ text }) => text);
  return new Intl.ListFormat("en-IN").format(new Set(texts));
}

/** Replaces each place in the text parts by the result of `read`. For null, the place stays text. */
function splitTexts<Place extends { start: number; end: number }>(
  parts: ContactPart[],
  find: (text: string) => Iterable<Place>,
  read: (place: Place, text: string) => (ContactPart | string)[] | null,
): ContactPart[] {
  return parts.flatMap((part) => {
    if (part.kind !== "text") return [part];
    const split: ContactPart[] = [];
    let end = 0;
    for (const place of find(part.text)) {
      const match = read(place, part.text.slice(place.start, place.end));
      if (!match) continue;
      addPart(split, part.text.slice(end, place.start));
      for (const piece of match) addPart(split, piece);
      end = place.end;
    }
    addPart(split, part.text.slice(end));
    return split;
  });
}

/** Returns a function that finds the places of a pattern's matches. */
function matchesOf(pattern: RegExp) {
  return (text: string) =>
    Array.from(text.matchAll(pattern), (match) => ({
      match,
      start: match.index,
      end: match.index + match[0].length,
    }));
}

function addPart(parts: ContactPart[], piece: ContactPart | string): void {
  if (piece === "") return;
  const last = parts.at(-1);
  if (typeof piece !== "string") parts.push(piece);
  else if (last?.kind === "text") last.text += piece;
  else parts.push({ kind: "text", text: piece });
}
