import { paragraphs } from "../rules.ts";
import type { FeedEntry } from "./read-feed.server.ts";

/** Names a job for ever, whatever becomes of the addresses. */
export function entryId({ id }: FeedEntry): string {
  return `urn:uuid:${id}`;
}

export function entryTitle({ title, company }: FeedEntry): string {
  return `${title} at ${company}`;
}

/** The place, the type and the pay, then the summary, as HTML. */
export function entryHtml({ company, location, jobType, compensation, description }: FeedEntry) {
  const facts = [company, location, jobType, compensation].filter((fact) => fact !== null);
  return [facts.join(" · "), ...paragraphs(description)]
    .map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`)
    .join("");
}

/** A text in XML or HTML. Characters that XML has no way to write are left out. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
