/** Finds what tells who somebody is in the text of a page. */
import type { PageText } from "../../files/inspect/pdfium-page.server.ts";
import { emailAddress, phoneNumber, writtenAddress } from "../machine-reading/findings.ts";
import type { Area } from "../remarks/rules.ts";

/** Around a word, in heights of its line: letters reach over the box of their line. */
const margin = 0.15;

/**
 * The places of a person's name, and of addresses and phone numbers whosever they are, a place for each
 * word; those of words in pictures are not known.
 */
export function privateAreas({ text, words }: PageText, name: string | null): Area[] {
  const patterns = [emailAddress, phoneNumber, writtenAddress, ...namesOf(name)];
  const ranges = patterns.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, pattern.flags.replace("g", "") + "g"))].map(
      (match) => [match.index, match.index + match[0].length] as const,
    ),
  );
  return words
    .filter(([start, size]) => ranges.some(([from, to]) => start < to && from < start + size))
    .map(([, , x, y, width, height]) => ({
      x: Math.max(0, x - margin * height),
      y: Math.max(0, y - margin * height),
      width: width + 2 * margin * height,
      height: height * (1 + 2 * margin),
    }));
}

/** Shorter parts of a name are words like any other. */
const shortestName = 3;

function namesOf(name: string | null): RegExp[] {
  const parts = (name ?? "").split(/\s+/).filter((part) => part.length >= shortestName);
  return parts.map((part) => new RegExp(`(?<!\\p{L})${literally(part)}(?!\\p{L})`, "giu"));
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
