/** Rules for the first message to a job's contact. Pure and safe for the browser. */

/** The limit of a portfolio address, in UTF-16 units. */
export const maxPortfolioLength = 300;

/** The most bytes of a link that opens an email. Some programs cut longer ones off. */
const maxMailLink = 1_800;

/** A message as it is sent. Its lines end in "\n". */
type FirstMessage = { subject: string; body: string };

/**
 * Builds the message from what the person has. Nothing is invented, and parts that they haven't written are left out.
 *
 * @param parts.name of the person
 * @param parts.address of the job on the board
 * @param parts.motivation why they want this job, in their own words
 * @param parts.work the address of their work
 */
export function buildFirstMessage({
  name,
  job,
  address,
  motivation,
  work,
}: {
  name: string | null;
  job: { title: string; company: string };
  address: string;
  motivation: string;
  work: string;
}): FirstMessage {
  const position = `${job.title} at ${job.company}`;
  const paragraphs = [
    "Hello,",
    [name && `I'm ${name}.`, `I'd like to apply for ${position}:`, address]
      .filter(Boolean)
      .join(" "),
    motivation,
    work && `My work: ${work}`,
    "Is the job still open?",
    name,
  ];
  return {
    subject: name ? `${position}: ${name}` : position,
    body: paragraphs.filter(Boolean).join("\n\n"),
  };
}

/** A link that opens an email. `isComplete` is false if the message was too long for it. */
type MailLink = { url: `mailto:${string}`; isComplete: boolean };

/**
 * Builds the link that opens an email with a message. A message that is too long for a link is left out, and so is a
 * subject.
 *
 * @param to the addresses of a contact, which `parseContact` has encoded
 */
export function buildMailLink(to: `mailto:${string}`, { subject, body }: FirstMessage): MailLink {
  const withSubject = `${to}?subject=${encodeText(subject)}` as const;
  const complete = `${withSubject}&body=${encodeText(body)}` as const;
  if (complete.length <= maxMailLink) return { url: complete, isComplete: true };
  return { url: withSubject.length <= maxMailLink ? withSubject : to, isComplete: false };
}

/** RFC 6068 asks for CRLF between lines. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed().replaceAll("\n", "\r\n"));
}

/** Checks a portfolio address. */
export function isPortfolioOrEmpty(text: string): boolean {
  return text === "" || (/^https:\/\//i.test(text) && URL.canParse(text));
}
