/**
 * Normalizes typed and pasted text. Safe for the browser. Keyboards write é and क़ with different code points, and
 * text copied from Word, WhatsApp or a web page contains invisible characters.
 */

/** Unicode's default ignorable code points and object replacement characters. */
const invisible = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;
const anyInvisible = new RegExp(`[${invisible}]`, "u");
const allInvisible = new RegExp(`[${invisible}]+`, "gu");

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** No-break, thin, ideographic and other spaces, and the empty Braille pattern, which looks like one. */
const oddSpaces = /[\p{Zs}\u2800]/gu;

/**
 * Cleans a text of several lines for storing. The text looks the same afterwards: line ends become \n, all spaces
 * become plain ones, and invisible characters are removed unless they shape their neighbours, as in Indic and Arabic
 * scripts and emoji. Letters are composed (NFC), except in web addresses, where that would be another address. Not for
 * passwords.
 */
export function cleanText(typed: string): string {
  const plain = typed.replaceAll("\0", "").replace(lineEnds, "\n").replace(oddSpaces, " ");
  return normalizeLetters(removeInvisible(plain));
}

/** Cleans a text as {@link cleanText} does, and removes control characters and surrounding spaces. */
export function cleanLines(typed: string): string {
  return cleanText(typed)
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
}

/** Cleans a text of one line as {@link cleanText} does. Control characters become spaces. */
export function cleanLine(typed: string): string {
  return cleanText(typed)
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}

function removeInvisible(text: string): string {
  if (!anyInvisible.test(text)) return text;
  const letters = Array.from(text);
  let visible = "";
  let before = "";
  for (const [index, letter] of letters.entries()) {
    if (anyInvisible.test(letter) && !isShaping(letter, before, letters[index + 1] ?? "")) continue;
    visible += letter;
    // Marks and selectors don't change the letter before them.
    if (!/[\p{M}\ufe0f]/u.test(letter) || joined.test(letter)) before = letter;
  }
  return visible;
}

/** Letters and marks of scripts with joiners: Arabic, Indic and South-East Asian ones. */
const joined =
  /(?=[\p{L}\p{M}])[\u0590-\u10ff\u1200-\u1cff\ua840-\uabff\ufb50-\ufdff\ufe70-\ufefc\u{10a00}-\u{11fff}]/u;
const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u;
const variable = /[\p{Emoji}\p{S}\p{Script=Han}\u1000-\u109f\u1820-\u18aa\ua840-\ua87f]/u;

/** Checks whether an invisible character changes the look of its neighbours. */
function isShaping(letter: string, before: string, after: string): boolean {
  if (letter === "\u200d" && pictograph.test(before)) return pictograph.test(after);
  if (letter === "\u200c" || letter === "\u200d") return joined.test(before);
  if (/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u.test(letter)) return variable.test(before);
  if (/[\u180b-\u180f]/.test(letter)) return /[\u1820-\u18aa]/.test(before);
  // The flags of England, Scotland and Wales.
  if (/[\u{e0020}-\u{e007f}]/u.test(letter)) return /[\u{1f3f4}\u{e0020}-\u{e007e}]/u.test(before);
  return false;
}

function normalizeLetters(text: string): string {
  if (!text.includes("://")) return text.normalize("NFC");
  const parts = text.split(/(https?:\/\/\S+)/i);
  return parts.map((part, index) => (index % 2 ? part : part.normalize("NFC"))).join("");
}

/**
 * Returns the form used to compare and search texts, which is the same for texts that look alike. It ignores case,
 * invisible characters, compatibility letters and the kinds of spaces, dashes and quotes. The SQL function
 * `search_form` returns the same.
 */
export function toSearchForm(text: string): string {
  return text
    .replace(allInvisible, "")
    .replace(/[´`]/g, "'")
    .normalize("NFKC")
    .replaceAll("İ", "i")
    .toLowerCase()
    .replace(/[‐‑‒–—―−]/g, "-")
    .replace(/[‘’‚‛′ʼ]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replaceAll("ς", "σ")
    .replace(/[\t-\r\x1c- \u0085\u1680\u2028\u2029\u2800]+/g, " ");
}

/** Normalizes an email address for storing and lookup: lower case, plain letters, no surrounding spaces. */
export function normalizeEmail(typed: string): string {
  return cleanLine(typed).normalize("NFKC").toLowerCase();
}

/**
 * Normalizes a code or number: ASCII digits, capitals, no spaces or dashes.
 */
export function normalizeCode(typed: string): string {
  return toAsciiDigits(toSearchForm(typed))
    .replace(/[\s\p{Pd}]/gu, "")
    .toUpperCase();
}

/** Converts the digits of any script to ASCII: "२०" → "20". */
export function toAsciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    // Every script has its ten digits in order, starting with zero.
    const point = digit.codePointAt(0)!;
    let before = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(point - before - 1))) before++;
    return String(before % 10);
  });
}
