/**
 * Finds phone numbers in text: Indian mobile, landline and toll-free numbers, and other countries' with their code.
 * Knows the digits of every script, and all dashes, dots, spaces and brackets. Safe for the browser.
 */

/** A phone number's place in a text. */
type PhoneNumber = {
  start: number;
  end: number;
  /** "+919876543210". Toll-free numbers have no country code. */
  dialed: string;
};

/**
 * "exact" leaves out what is more likely an amount, a date or an id. "wide" finds everything that may be a phone
 * number, with its extension and other endings, as in "022 2345 6789 / 90 ext 5".
 */
type Strictness = "exact" | "wide";

/** Finds phone numbers, in linear time. The places of "wide" can overlap. */
export function findPhoneNumbers(text: string, strictness: Strictness = "exact"): PhoneNumber[] {
  const groups = listDigitGroups(text);
  const numbers: PhoneNumber[] = [];
  for (let index = 0; index < groups.length; index++) {
    const endBefore = numbers.at(-1)?.end ?? -1;
    // Any of several readings may be right, so only "exact" has to choose one.
    if (strictness === "exact" && groups[index]!.start < endBefore) continue;
    const number = findLongestNumber(text, groups, index, strictness, endBefore);
    if (number) numbers.push(number);
  }
  return numbers;
}

/** Converts the digits of all scripts to 0 to 9. */
export function toPlainDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    // Every script has its ten digits in order, and scripts that touch have them one after the other.
    const code = digit.codePointAt(0)!;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String((code - zero) % 10);
  });
}

/** Digits without anything between them. */
type DigitGroup = {
  digits: string;
  start: number;
  end: number;
  /** The characters between it and the group before it; null if a phone number doesn't contain them. */
  gap: string | null;
};

/** Spaces, line ends, dashes, dots, brackets and invisible characters. */
const gapPattern =
  /^[\s\p{Pd}\u2212\u2043.\u00b7\u2022\u2024\uff0e()[\]（）\u00ad\u200b-\u200f\u2060]{1,5}$/u;
/** Follows an area code, as in "022/2345 6789". */
const slashPattern = /^ ?\/ ?$/;

function listDigitGroups(text: string): DigitGroup[] {
  let end = -1;
  return Array.from(text.matchAll(/\p{Nd}+/gu), ({ 0: written, index: start }) => {
    const between = end < 0 ? "" : text.slice(end, Math.min(start, end + 6));
    end = start + written.length;
    const isGap = gapPattern.test(between) || slashPattern.test(between);
    return { digits: toPlainDigits(written), start, end, gap: isGap ? between : null };
  });
}

/** The longest number has 15 digits and "00" before them. */
const maxDigits = 17;
const minDigits = 7;

/** Finds the longest number that starts with a group. */
function findLongestNumber(
  text: string,
  groups: readonly DigitGroup[],
  first: number,
  strictness: Strictness,
  endBefore: number,
): PhoneNumber | null {
  const { start } = groups[first]!;
  const before = text.slice(Math.max(0, start - 24), start);
  const sign = /(?:[([（]?[+＋]\s?)?[([（]?$/u.exec(before)![0];
  const lead = before.slice(0, before.length - sign.length);
  const isAttached = /\p{Nd}\S?$/u.test(lead) && start - sign.length - endBefore > 1;
  if (strictness === "exact" && (isAttached || isNoPhone.test(lead))) return null;
  const isNamed = strictness === "wide" && phoneWord.test(lead);
  const hasPlus = /[+＋]/u.test(sign);
  let number: PhoneNumber | null = null;
  let digits = "";
  for (let last = first; last < groups.length; last++) {
    if (last > first && !isGapInNumber(text, groups, first, last)) break;
    const { digits: more, end } = groups[last]!;
    digits += more;
    if (digits.length > maxDigits) break;
    if (digits.length < minDigits) continue;
    const dialed = hasPlus
      ? formatForeign(digits, strictness)
      : formatNational(digits, groups.slice(first, last + 1), strictness, isNamed);
    if (dialed === null || (strictness === "exact" && isContinued(text, end))) continue;
    number = {
      start: start - removeUnclosed(sign, text.slice(start, end)).length,
      end: strictness === "exact" ? end : findEndOfEndings(text, end),
      dialed,
    };
  }
  return number;
}

/** Removes a bracket that the number doesn't close: "(98765 43210)", but not "(022) 2345 6789". */
function removeUnclosed(sign: string, number: string): string {
  const count = (pattern: RegExp) => (sign + number).match(pattern)?.length ?? 0;
  return count(/[([（]/gu) > count(/[)\]）]/gu) ? sign.replace(/^[([（]/u, "") : sign;
}

/** Checks whether a group continues the number of the groups before it. */
function isGapInNumber(text: string, groups: readonly DigitGroup[], first: number, at: number) {
  const { gap, end } = groups[at]!;
  if (gap === null) return false;
  if (gap.includes("/")) return at === first + 1 && /^0\d{2,4}$/.test(groups[first]!.digits);
  return !/[([（]/u.test(gap) || /[)\]）]/u.test(text.slice(end, end + 2));
}

/** Ends the text before an amount, an id, or digits that belong to a word. */
const isNoPhone =
  /(?:[\p{L}\p{M}_#$€£₹@=&]|[₹$€£]\s|(?<!\p{L})(?:Rs\.?|INR|USD)\s?|(?<!\p{L})(?:id|ref|reference|req|order|invoice|aadhaa?r|account|a\/c|isbn|code)(?:\s?(?:no|number))?[\s.:#-]{1,3})$/iu;

/** Ends the text before a phone number. */
const phoneWord =
  /(?:(?<!\p{L})(?:t|m|tel|telephone|ph|phone|mob|mobile|cell|whats ?app|fax|contact|फ़?ोन|मोबाइल)|[☎☏✆📞📱]\ufe0f?)(?:\s?(?:no|number))?[\s.:()\p{Pd}]{0,4}$/iu;

/** Checks whether a number goes on after its end. */
function isContinued(text: string, end: number): boolean {
  const after = text.slice(end, end + 6);
  return /^(?:(?!x\d|ext)[\p{L}\p{M}_%]|[.:\p{Pd}]\p{Nd}{1,4}(?!\p{Nd}))/iu.test(after);
}

/** Further endings of a number, and its extension. */
const endings =
  /^(?:\s?\/\s?\p{Nd}{1,8}(?!\p{Nd}))*(?:[\s,;]{0,3}(?:extension|extn?|x)[\s.:]{0,3}\p{Nd}{1,6})?/iu;

function findEndOfEndings(text: string, end: number): number {
  return end + endings.exec(text.slice(end, end + 60))![0].length;
}

/** Formats the digits after a plus sign for dialling; null if they are no number. */
function formatForeign(digits: string, strictness: Strictness): string | null {
  if (digits.startsWith("91")) {
    const own = digits.slice(2).replace(/^0/, "");
    if (tollFree.test(own)) return own;
    if (/^[1-9]\d{9}$/.test(own)) return `+91${own}`;
  }
  const isLength = /^(?:1[2-9]\d{9}|(?!1|91)[1-9]\d{7,14})$/.test(digits);
  const isNumber = strictness === "exact" ? isLength : /^\d{8,15}$/.test(digits);
  return isNumber ? `+${digits}` : null;
}

const tollFree = /^18[06]0\d{6,7}$/;

/** Formats digits without a plus sign for dialling; null if they are no number. */
function formatNational(
  digits: string,
  parts: readonly DigitGroup[],
  strictness: Strictness,
  isNamed: boolean,
): string | null {
  const dialed = formatIndian(digits, parts, strictness) ?? (isNamed ? digits : null);
  if (dialed === null || hasDates(parts)) return null;
  return strictness === "exact" && isAmountOrId(parts) ? null : dialed;
}

function formatIndian(digits: string, parts: readonly DigitGroup[], strictness: Strictness) {
  const [one, two] = [parts[0]!.digits, parts[1]?.digits ?? ""];
  // After other digits, "001" is the end of a postal code.
  if (/^00[1-9]/.test(one) && (digits.startsWith("0091") || (two && parts[0]!.gap === null)))
    return formatForeign(digits.slice(2), strictness);
  if (tollFree.test(digits)) return digits;
  // "1800 1234", but not two years.
  if (/^18[06]0(?!19|20)\d{4}$/.test(digits) && one.length === 4) return digits;
  // With the "0" or "91" that landlines need, or a mobile number.
  const national = /^(?:0([1-9]\d{9})|(?:91)?([6-9]\d{9}))$/.exec(digits);
  if (national) return `+91${national[1] ?? national[2]}`;
  if (one === "91" && /^\d{2,4}$/.test(two) && digits.length === 12) return `+${digits}`;
  const hasAreaCode = /^[1-9]\d{1,3}$/.test(one) && digits.length === 10;
  return strictness === "wide" && hasAreaCode ? digits : null;
}

const year = "(?:19|20)\\d\\d";
/** A year before other digits, a month or day before a year, two years, or a postal code before a year. */
const datePattern = /* @__PURE__ */ new RegExp(
  `^${year} |^(?:[0-3]?\\d ){1,2}${year}(?: |$)|(?:^| )${year} ${year}|^\\d{6} ${year}$`,
);

/** Checks whether groups of digits contain dates. An area code of at least three digits never is. */
function hasDates(parts: readonly DigitGroup[]): boolean {
  const groups = parts.map(({ digits }) => digits).join(" ");
  return !/^0\d\d/.test(groups) && datePattern.test(groups);
}

/** Checks whether groups of digits look like a range of pay, a decimal, an id of 12 digits, or scattered. */
function isAmountOrId(parts: readonly DigitGroup[]): boolean {
  const groups = parts.map(({ digits }) => digits);
  const sizes = groups.map((group) => group.length).join("-");
  const [from, to] = groups;
  const isRange = sizes === "5-5" && from!.endsWith("00") && to!.endsWith("00") && from! < to!;
  const isScattered = groups.length > 6 || groups.some((group, at) => at > 1 && group.length < 2);
  const isDecimal = from === "0" && parts[1]?.gap === ".";
  return isRange || isDecimal || isScattered || sizes === "4-4-4" || sizes === "6-4";
}
