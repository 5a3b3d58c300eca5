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
import { countNoun } from "../../app/platform/count-noun.ts";
import { type Answer, type Choose, UsageError, type Operator, formatTable } from "./command.ts";

export function addMailCommands(program: Command, choose: Choose): void {
  const family = program.command("mail").description("test and queue of outgoing email");
  family
    .command("test")
    .description("send an email immediately, bypassing the queue, and print the server's answer")
    .argument("<address>")
    .action((address) => choose((operator) => sendTest(operator, address)));
  const queue = family
    .command("queue")
    .description("list undelivered email and why")
    .option("--failed", "only email with no attempts left", false)
    .action(({ failed }) => choose(({ app }) => list(app.db, failed)));
  queue
    .command("retry")
    .description("retry one email for a day, or all failed ones")
    .argument("[id]")
    .option("--all", "all failed email", false)
    .action((id, { all }) => {
      if (Boolean(id) === all)
        throw new UsageError("Give the id of one email (mail queue lists them), or --all.");
      choose(({ app }) => (id ? retryOne(app.db, id) : retryAll(app.db)));
    });
}

const sendTimeout = 30 * second;

async function sendTest({ app, transport }: Operator, to: string): Promise<Answer> {
  const { product, origin } = app.config;
  const messageId = `${randomUUID()}@${new URL(origin).hostname}`;
  const sentence = `This is a test email from ${product.name} at ${origin}. Email works.`;
  const content = {
    subject: `Test email from ${product.name}`,
    text: sentence,
    html: `<p>${sentence}</p>`,
  };
  try {
    const signal = AbortSignal.timeout(sendTimeout);
    const answer = await transport.send({ messageId, to, replyTo: null, ...content }, signal);
    return { text: `The server accepted it: ${answer}`, data: { sent: true, answer, messageId } };
  } catch (error) {
    if (!(error instanceof MailNotSent)) throw error;
    const { message: answer } = error;
    return {
      text: `It was not sent: ${answer} (run doctor to check the settings)`,
      data: { sent: false, answer },
      failed: true,
    };
  }
}

const maxMails = 500;

async function list(db: Database, failed: boolean): Promise<Answer> {
  const unsent = await listUnsentMails(db, { failed, limit: maxMails });
  const empty = failed ? "No failed email." : "No email is waiting.";
  return { text: formatTable(unsent.map(toMailRow)) || empty, data: unsent };
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
  const state = givenUpAt ? "failed" : "waiting";
  const attemptCount = countNoun(attempts, "attempt");
  return [
    id,
    formatShortDateTime(createdAt),
    state,
    attemptCount,
    recipient,
    subject,
    lastError ?? "",
  ];
}

async function retryOne(db: Database, id: string): Promise<Answer> {
  const retried = isUuid(id) ? await retryMails(db, "operator", id) : 0;
  if (retried > 0) return formatRetried(retried);
  throw new Invalid({
    mail: `No email with the id ${id} is waiting. It was sent, is being sent, or never existed.`,
  });
}

async function retryAll(db: Database): Promise<Answer> {
  return formatRetried(await retryMails(db, "operator", null));
}

function formatRetried(retried: number): Answer {
  const emails = countNoun(retried, "email");
  return { text: `The running product will retry ${emails}.`, data: { retried } };
}
