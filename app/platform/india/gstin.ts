import { stateCodes } from "./states.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const codes: ReadonlySet<string> = new Set(Object.values(stateCodes));

/**
 * Checks a GST identification number: the code of a State, a PAN, the number of the registration, a "Z" and the
 * check character.
 *
 * @param text in upper case
 */
export function isGstin(text: string): boolean {
  if (!/^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[\dA-Z]$/.test(text)) return false;
  return codes.has(text.slice(0, 2)) && text.at(-1) === getCheckCharacter(text.slice(0, -1));
}

/** Each character counts once or twice, in turn; the digits of the products in base 36 are summed. */
function getCheckCharacter(text: string): string | undefined {
  const sum = text.split("").reduce((total, character, index) => {
    const product = digits.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return digits[(36 - (sum % 36)) % 36];
}
