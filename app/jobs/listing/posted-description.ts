import { paragraphs } from "../rules.ts";

/**
 * A listing's description in HTML, as search engines read it and the page shows it: the summary leads into the
 * detailed description, unless that begins with it.
 */
export function postedDescription({
  description,
  largeDescription,
}: {
  description: string;
  largeDescription: string | null;
}): string {
  const [lead, full] = [paragraphs(description), paragraphs(largeDescription ?? "")];
  const isRepeated = lead.every((paragraph, index) => full[index] === paragraph);
  return (isRepeated ? full : [...lead, ...full]).map(asHtml).join("");
}

function asHtml(paragraph: string): string {
  return `<p>${paragraph.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</p>`;
}
