import { createTransport } from "nodemailer";
import { truncateToUnits } from "../platform/text/cut-text.ts";
import type { Config } from "../platform/config.server.ts";
import { isLoopback } from "../platform/settings/read-settings.server.ts";
import { second } from "../platform/clock.ts";
import { runTraced } from "../platform/traces.server.ts";

/** An email as it is sent. */
type OutgoingMail = {
  /** Has no angle brackets. Every attempt uses the same id, so that duplicates can be recognized. */
  messageId: string;
  to: string;
  /** Null sends replies to our own address. */
  replyTo: string | null;
  subject: string;
  html: string;
  text: string;
  /** More header lines by their names. */
  headers?: Record<string, string> | null;
};

/** Sends emails. */
export type MailTransport = {
  /**
   * Hands an email to the mail server.
   *
   * @param signal aborts the attempt
   * @returns the server's answer.
   * @throws {MailNotSent} with the error of the server or the connection.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<string>;
  /**
   * Connects and logs in without sending anything.
   *
   * @throws {Error} with the error of the server or the connection.
   */
  verify(): Promise<void>;
  /** True when emails stay in the demo inbox instead of being sent. */
  captures: boolean;
  close(): void;
};

/** The reason an email was not sent, without the recipient's address. */
export class MailNotSent extends Error {
  override name = "MailNotSent";
  /** True when the server rejects this email permanently. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The number of emails sent concurrently, each over its own connection. */
export const mailConnections = 5;

/** Uses SMTP when the configuration names a server, else the demo inbox. */
export function createMailTransport(config: Pick<Config, "smtpUrl" | "mailFrom">): MailTransport {
  return config.smtpUrl ? createSmtpTransport(config.smtpUrl, config.mailFrom) : demoInbox;
}

/** The demo inbox shows the `mails` table, so nothing needs to be sent. */
const demoInbox: MailTransport = {
  send: async () => "It is in the demo inbox.",
  verify: async () => {},
  captures: true,
  close() {},
};

/** Only a server on this computer may be used without encryption. */
function createSmtpTransport(url: string, from: string): MailTransport {
  const isLocal = isLoopback(new URL(url).hostname);
  const server = createTransport(
    {
      url,
      pool: true,
      maxConnections: mailConnections,
      // Retries come from the table, where failures are visible.
      maxRequeues: 0,
      requireTLS: !isLocal,
      ignoreTLS: isLocal,
      dnsTimeout: 10 * second,
      connectionTimeout: 10 * second,
      greetingTimeout: 10 * second,
      socketTimeout: 20 * second,
    },
    { from },
  );
  return {
    async send({ messageId, replyTo, headers, ...mail }, signal) {
      const message = {
        ...mail,
        replyTo: replyTo ?? undefined,
        headers: toUnfoldedHeaders(headers ?? {}),
        messageId: `<${messageId}>`,
        signal,
      };
      const facts = { "server.address": new URL(url).hostname };
      const result = await runTraced({ name: "mail send", kind: "client", facts }, () =>
        server.sendMail(message).catch((error: unknown) => {
          throw toMailNotSent(error, signal, mail.to);
        }),
      );
      return result.response;
    },
    verify: async () => void (await server.verify()),
    captures: false,
    close: () => server.close(),
  };
}

/** Keeps each header on one line, since not every mailbox finds an address on a folded one. */
function toUnfoldedHeaders(headers: Record<string, string>) {
  const unfolded = ([name, value]: [string, string]) => [name, { prepared: true, value }];
  return Object.fromEntries(Object.entries(headers).map(unfolded));
}

/** An error after one of these SMTP commands is about the email, after any other about the server. */
const mailCommands = new Set(["RCPT TO", "DATA"]);
/** The server requires a login, so our settings are wrong, not the email. */
const loginRequired = 530;

function toMailNotSent(error: unknown, signal: AbortSignal, recipient: string): MailNotSent {
  if (signal.aborted) return new MailNotSent("The mail server took too long.", false);
  const { message, command, responseCode, permanent } = error as SmtpError;
  const isFinal =
    permanent === true && responseCode !== loginRequired && mailCommands.has(command ?? "");
  return new MailNotSent(redactAddresses(message, recipient), isFinal);
}

type SmtpError = Error & { command?: string; responseCode?: number; permanent?: boolean };

function redactAddresses(text: string, recipient: string): string {
  const redacted = text
    .replaceAll(recipient, "(address)")
    .replace(/[^\s<>:,;"']+@[^\s<>:,;"']+/g, "(address)");
  return truncateToUnits(redacted, 500);
}
