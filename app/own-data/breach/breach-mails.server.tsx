import { sql } from "drizzle-orm";
import { createMail, queueDelivery, type Sender } from "../../mail/deliver-mail.server.ts";
import { MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { recordAuditEvents } from "../../platform/audit.server.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";

/** A text that the operator wrote. `{name}` in a paragraph is the person's name. */
type BreachNotice = { subject: string; paragraphs: string[] };

/**
 * Parses the text of an email about a breach: a line "Subject: …", then paragraphs with empty lines between them.
 *
 * @throws {Invalid} without a subject or a text, and if a place in square brackets is not filled in.
 */
export function parseBreachNotice(text: string): BreachNotice {
  const [head = "", ...paragraphs] = text
    .replaceAll("\r\n", "\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
  const subject = /^Subject: (.+)$/.exec(head)?.[1];
  if (!subject) throw new Invalid({ file: 'The first line must be "Subject: " and the subject.' });
  if (paragraphs.length === 0) throw new Invalid({ file: "There is no text after the subject." });
  const blank = /\[[^\]]*\]/.exec(text)?.[0];
  if (blank) throw new Invalid({ file: `Fill in ${blank} first.` });
  return { subject, paragraphs };
}

type Recipient = { email: string; name: string };

type Notification = {
  /** Names the breach. Each address gets one email about it, however often this runs. */
  incident: string;
  notice: BreachNotice;
  /** Limits the recipients to these addresses; null for everyone. */
  to: string[] | null;
};

/** The number of recipients in one transaction. */
const batchSize = 100;

/**
 * Queues an email to everyone with an account, a message to us, a report or a job alert. A closed account counts until
 * it is purged. A run that was interrupted continues where it stopped, because no address gets a second email about
 * the same incident.
 *
 * @returns the number of recipients, and of those who had their email before
 */
export async function queueBreachMails(
  db: Database,
  { incident, notice, to }: Notification,
  { product }: Pick<Sender, "product">,
): Promise<{ recipients: number; earlier: number }> {
  let recipients = 0;
  let earlier = 0;
  for await (const people of listBreachRecipients(db, to)) {
    const newMails = await db.transaction(async (tx) => {
      let count = 0;
      for (const { email, name } of people) {
        const { subject, paragraphs } = formatBreachNotice(notice, name);
        const body = <BreachMail product={product} subject={subject} paragraphs={paragraphs} />;
        const cause = buildCause(incident, email);
        const mail = { cause, to: email, replyTo: product.supportEmail, subject, body };
        const id = await createMail(tx, mail, { createdAt: now() });
        if (id) await queueDelivery(tx, id);
        if (id) count++;
      }
      return count;
    });
    recipients += people.length;
    earlier += people.length - newMails;
  }
  await recordAuditEvents(db, [
    {
      actor: "operator",
      event: "breach.notify",
      subject: { type: "breach", id: incident },
      after: { recipients, earlier },
    },
  ]);
  return { recipients, earlier };
}

/** Counts the recipients, and those who have an email about the incident already, without changing anything. */
export async function countBreachRecipients(
  db: Database,
  { incident, to }: Omit<Notification, "notice">,
): Promise<{ recipients: number; earlier: number }> {
  let recipients = 0;
  let earlier = 0;
  for await (const people of listBreachRecipients(db, to)) {
    recipients += people.length;
    const causes = people.map(({ email }) => buildCause(incident, email));
    const { rows } = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from mails where cause = any(${sql.param(causes)}::text[])`,
    );
    earlier += rows[0]!.count;
  }
  return { recipients, earlier };
}

/** Returns the text for one person. Without a name, "Hello {name}," is "Hello,". */
export function formatBreachNotice(
  { subject, paragraphs }: BreachNotice,
  name: string,
): BreachNotice {
  const texts = paragraphs.map((text) =>
    text.replaceAll(/( ?)\{name\}/g, (_, space: string) => name && space + name),
  );
  return { subject, paragraphs: texts };
}

/** Lists recipients in batches, in the order of their addresses, each address once. */
async function* listBreachRecipients(db: Database, to: string[] | null) {
  const isChosen = to === null ? sql`true` : sql`email = any(${sql.param(to)}::text[])`;
  for (let after = ""; ;) {
    const { rows } = await db.execute<Recipient>(sql`
      select distinct on (email) email, name from (
        select email, name from users where closed_at is null
        union all select email, name from sealed_accounts
        union all select email, name from contact_messages where not is_suspected
        union all select email, '' from job_reports where confirmed_at is not null
        union all select email, '' from alerts where confirmed_at is not null) as people
      where email like '%@%' and email > ${after} and ${isChosen}
      order by email, name desc limit ${batchSize}`);
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.email;
  }
}

function buildCause(incident: string, email: string): string {
  return `breach:${incident}:${email}`;
}

function BreachMail({
  product,
  subject,
  paragraphs,
}: { product: { name: string; supportEmail: string } } & BreachNotice) {
  return (
    <MailLayout product={product} title={subject} preview={paragraphs[1] ?? paragraphs[0]!}>
      {paragraphs.map((paragraph, index) => (
        <MailText key={index}>
          {paragraph
            .split("\n")
            .flatMap((text, line) => (line === 0 ? [text] : [<br key={line} />, text]))}
        </MailText>
      ))}
    </MailLayout>
  );
}
