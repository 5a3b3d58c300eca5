import { splitIntoParagraphs } from "../rules.ts";

/**
 * Renders a listing's description as HTML for search engines, in the same order as on the page. The summary is
 * left out if the detailed description starts with it.
 */
export function renderPostedDescription({
  description,
  largeDescription,
}: {
  description: string;
  largeDescription: string | null;
}): string {
  const [lead, full] = [
    splitIntoParagraphs(description),
    splitIntoParagraphs(largeDescription ?? ""),
  ];
  const isRepeated = lead.every((paragraph, index) => full[index] === paragraph);
  return (isRepeated ? full : [...lead, ...full]).map(renderParagraph).join("");
}

function renderParagraph(paragraph: string): string {
  return `<p>${paragraph.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}
