import { splitIntoParagraphs } from "../rules.ts";

/**
 * A listing's description in HTML, as search engines read it and the page shows it: the summary leads into the
 * detailed description, unless that begins with it.
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
