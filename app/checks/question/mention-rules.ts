/** Rules for the texts of others that name a removed contact. Safe for the browser. */

export const mentionKinds = ["listing", "report", "message", "answer", "company"] as const;
export type MentionKind = (typeof mentionKinds)[number];

const fieldLabels: Record<string, string> = {
  title: "Title",
  company: "Company",
  location: "Location",
  compensation: "Compensation",
  description: "Summary",
  large_description: "Full text",
  poc_name: "Contact's name",
  poc_contact: "Contact",
  text: "Report",
  decision_reason: "Reason for the decision",
  subject: "Subject",
  message: "Message",
  note: "Internal note",
  answer: "Reply",
  name: "Name",
  about: "About",
};

const kindLabels: Record<MentionKind, string> = {
  listing: "Listing",
  report: "Report on a listing",
  message: "Message to us",
  answer: "Reply to a message",
  company: "Company's page",
};

/** Describes where a mention is: "Listing: Title". */
export function describeMention({ kind, field }: { kind: MentionKind; field: string }): string {
  return `${kindLabels[kind]}: ${fieldLabels[field] ?? field}`;
}

const around = 80;

/** Cuts a text to the first match with its surroundings; null if nothing matches. */
export function truncateToMatch(text: string, eraseText: (text: string) => string): string | null {
  const erased = eraseText(text);
  if (erased === text) return null;
  let start = 0;
  while (text.charAt(start) === erased.charAt(start)) start += 1;
  let end = 0;
  while (end < text.length - start && text.at(-1 - end) === erased.at(-1 - end)) end += 1;
  const from = Math.max(0, start - around);
  const to = Math.min(text.length, text.length - end + around, start + 5 * around);
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed()}${to < text.length ? "…" : ""}`;
}
