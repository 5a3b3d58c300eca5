/**
 * Replaces one character of a signed text by another that is valid in hexadecimal, base64 and base64url. The result
 * is never the original.
 *
 * @param index the first character by default, because the last one of base64 can have bits that mean nothing
 */
export function changeCharacter(text: string, index = 0): string {
  const other = text[index] === "0" ? "1" : "0";
  return text.slice(0, index) + other + text.slice(index + 1);
}

/**
 * Flips one bit of a text of ASCII characters. The result is never the original.
 *
 * @param place counts the characters, and starts again after the last one
 * @param bit 0 to 6
 */
export function flipBit(text: string, place: number, bit: number): string {
  if (text === "") return String.fromCharCode(1 << bit);
  const index = place % text.length;
  const flipped = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
  return text.slice(0, index) + flipped + text.slice(index + 1);
}
