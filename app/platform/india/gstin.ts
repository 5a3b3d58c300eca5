import { type IndianState, indianStates, stateCodes } from "./states.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const gstinLength = 15;

/**
 * Checks a GST identification number: the code of a State, a PAN, the number of the registration, a "Z" and the
 * check character.
 *
 * @returns the first fault, as a sentence; null if there is none
 */
export function findGstinFault(text: string): string | null {
  const { length } = text;
  if (length !== gstinLength) return `It has ${length} characters, not ${gstinLength}.`;
  if (!/^[\dA-Z]+$/.test(text)) return "It may only have digits and capital letters.";
  const code = text.slice(0, 2);
  if (!findGstinState(text)) return `No State has the code ${code}, its first two characters.`;
  if (!/^.{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z/.test(text))
    return "After the State's code it must have a PAN, one digit or letter, and a Z.";
  if (text.at(-1) !== getCheckCharacter(text.slice(0, -1)))
    return "Its last character, the check character, doesn't fit the others: one of them is wrong.";
  return null;
}

/** Returns the State or Union Territory that a GSTIN starts with; undefined for an unknown code. */
export function findGstinState(gstin: string): IndianState | undefined {
  return indianStates.find((state) => stateCodes[state] === gstin.slice(0, 2));
}

/** Each character counts once or twice, in turn; the digits of the products in base 36 are summed. */
function getCheckCharacter(text: string): string | undefined {
  const sum = text.split("").reduce((total, character, index) => {
    const product = digits.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return digits[(36 - (sum % 36)) % 36];
}
