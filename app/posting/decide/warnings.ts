import { type JobInput, messages } from "../../jobs/manage/rules.ts";
import { parseContact } from "../../jobs/contact/parse-contact.ts";
import { truncateText } from "../../jobs/rules.ts";
import type { DraftFields, SubmissionSource } from "../rules.ts";

/** Words that come with payments of applicants. */
const fees =
  /\b(?:(?:registration|application|processing|training|joining|security|refundable)\s+(?:fees?|charges?|deposit|amount)|pay\s+(?:a|the|rs|₹|inr)|deposit\s+of|caution\s+money)\b/i;

/** Phrases that say that nobody pays. */
const noFee = /\b(?:no|without|never|don't|do not|zero)\b[^.]{0,40}$/i;

/** Messengers, where nobody can see who asks. */
const messengers = /\b(?:whats\s?app|telegram|wa\.me|t\.me|signal)\b/i;

const maxQuote = 80;

/**
 * Lists what an admin should look at before a listing is published.
 *
 * @param about.hasType false if an imported listing says nothing about its job type
 */
export function listWarnings(
  { description, largeDescription, compensation, pocContact, jobType }: JobInput,
  { isNewCompany, hasType = true }: { isNewCompany: boolean; hasType?: boolean },
): string[] {
  const text = [compensation, description, largeDescription].join("\n");
  const fee = findFee(text);
  return [
    ...(isNewCompany ? ["Its first listing. Publishing it also approves the company's page."] : []),
    ...(fee ? [`It may ask applicants for money: “${fee}”`] : []),
    ...(hasType
      ? []
      : [`Its source says nothing about the job type, so it is shown as ${jobType}.`]),
    ...(pocContact ? [] : [messages.nobodyToAsk]),
    ...(isMessengerOnly(pocContact ?? "") ? ["The contact is only on a messenger."] : []),
  ];
}

/** Returns what the warnings of a listing that waits need to know besides its text. */
export function getWarningFacts({
  company,
  source,
  fields,
}: {
  company: { state: string };
  source: SubmissionSource;
  fields: Partial<DraftFields>;
}) {
  const hasType = source === "form" || fields.jobType !== undefined;
  return { isNewCompany: company.state === "new", hasType };
}

/** Finds the sentence with a fee. */
function findFee(text: string): string | null {
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
    const fee = fees.exec(sentence);
    if (fee && !noFee.test(sentence.slice(0, fee.index)))
      return truncateText(sentence.trim(), maxQuote);
  }
  return null;
}

function isMessengerOnly(contact: string): boolean {
  const { parts } = parseContact(contact);
  const hasMail = parts.some(({ kind }) => kind === "mail");
  return messengers.test(contact) && !hasMail;
}
