import { randomInt } from "node:crypto";

/** No vowels and nothing that looks like something else: to be read out on the phone. */
const alphabet = "23456789BCDFGHJKMNPQRSTVWXYZ";

/** A number to find a message again by, as in "T-7QK3-9FWM". */
export function newTicket(): string {
  const random = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `T-${random.slice(0, 4)}-${random.slice(4)}`;
}
