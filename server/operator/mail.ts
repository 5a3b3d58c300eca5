import { randomUUID } from "node:crypto";
import type { Command } from "@commander-js/extra-typings";
import {
  listUnsentMails,
  retryMails,
  type UnsentMail,
} from "../../app/mail/unsent-mails.server.ts";
import { MailNotSent } from "../../app/mail/transport.server.ts";
import { second, formatShortDateTime } from "../../app/platform/clock.ts";
import { type Database, isUuid } from "../../app/platform/database.server.ts";
import { Invalid } from "../../app/platform/errors.ts";
import { type Answer, type Choose, Misunderstood, type Operator, formatTable } from "./command.ts";

/** Adds the commands for mail: whether it is sent, what waits, and what failed. */
export function addMailCommands(program: Command, choose: Choose): void {
  const family = program.command("mail").description("whether mail leaves, and what has not");
  family
    .command("test")
    .description("send a mail at once, past the queue, and tell what the server answered")
    .argument("<address>")
    .action((address) => choose((operator) => sendTest(operator, address)));
  const queue = family
    .command("queue")
    .description("mails that have not left, and why")
    .option("--failed", "those alone that are not tried again by themselves", false)
    .action(({ failed }) => choose(({ app }) => list(app.db, failed)));
  queue
    .command("retry")
    .description("have a mail tried again for a day, or all that were given up")
    .argument("[id]")
    .option("--all", "all that were given up", false)
    .action((id, { all }) => {
      if (Boolean(id) === all)
        throw new Misunderstood("Name one mail by its id (mail queue lists them), or say --all.");
      choose(({ app }) => (id ? retryOne(app.db, id) : retryAll(app.db)));
    });
}

/** After that the server is too slow. */
const longestSending = 30 * second;

async function sendTest({ app, transport }: Operator, to: string): Promise<Answer> {
  const { product, origin } = app.config;
  const messageId = `${randomUUID()}@${new URL(origin).hostname}`;
  const sentence = `This is a test of ${product.name} at ${origin}. Mail arrives.`;
  const content = {
    subject: `A test of ${product.name}`,
    text: sentence,
    html: `<p>${sentence}</p>`,
  };
  try {
    const signal = AbortSignal.timeout(longestSending);
    const answer = await transport.send({ messageId, to, replyTo: null, ...content }, signal);
    return { text: `The server took it: ${answer}`, data: { sent: true, answer, messageId } };
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    const { message: answer } = error;
    return {
      text: `It was not sent: ${answer} (doctor looks at the settings)`,
      data: { sent: false, answer },
      failed: true,
    };
  }
}

const mostMails = 500;

async function list(db: Database, failed: boolean): Promise<Answer> {
  const unsent = await listUnsentMails(db, { failed, limit: mostMails });
  const nothing = failed ? "No mail was given up." : "No mail waits.";
  return { text: formatTable(unsent.map(toMailRow)) || nothing, data: unsent };
}

function toMailRow({
  id,
  createdAt,
  recipient,
  subject,
  attempts,
  lastError,
  givenUpAt,
}: UnsentMail) {
  const state = givenUpAt ? "given up" : "waits";
  const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
  return [id, formatShortDateTime(createdAt), state, tries, recipient, subject, lastError ?? ""];
}

async function retryOne(db: Database, id: string): Promise<Answer> {
  const retried = isUuid(id) ? await retryMails(db, "operator", id) : 0;
  if (retried > 0) return formatRetried(retried);
  throw new Invalid({ mail: `No mail ${id} waits: it has left, is just leaving, or never was.` });
}

async function retryAll(db: Database): Promise<Answer> {
  return formatRetried(await retryMails(db, "operator", null));
}

function formatRetried(retried: number): Answer {
  const mails = retried === 1 ? "1 mail is" : `${retried} mails are`;
  return { text: `${mails} tried again by the running product.`, data: { retried } };
}
