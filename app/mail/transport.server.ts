import { createTransport } from "nodemailer";
import { truncateToUnits } from "../platform/text/cut-text.ts";
import type { Config } from "../platform/config.server.ts";
import { isLoopback } from "../platform/settings/read-settings.server.ts";
import { second } from "../platform/clock.ts";
import { runTraced } from "../platform/traces.server.ts";

/** A mail as it goes out. */
type OutgoingMail = {
  /** Without angle brackets. Every attempt uses the same, so that a repeat can be recognized. */
  messageId: string;
  to: string;
  /** Null: an answer goes to our own address. */
  replyTo: string | null;
  subject: string;
  html: string;
  text: string;
};

/** The way out for mail. */
export type MailTransport = {
  /**
   * Hands a mail to the mail server.
   *
   * @param signal ends the sending, whatever the server does meanwhile
   * @returns the server's answer.
   * @throws {MailNotSent} what the server, or the way to it, said.
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<string>;
  /**
   * Connects and logs in, and sends nothing.
   *
   * @throws {Error} what the server, or the way to it, said.
   */
  verify(): Promise<void>;
  /** True when mails stay readable here instead of leaving. */
  captures: boolean;
  close(): void;
};

/** Why a mail did not leave, said without its addressee. */
export class MailNotSent extends Error {
  override name = "MailNotSent";
  /** The server refuses this very mail, and would do so again. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The number of mails sent at the same time, each over its own connection. */
export const mailConnections = 5;

/** SMTP when the configuration names a server, else the captured mailbox of the demonstration. */
export function createMailTransport(config: Pick<Config, "smtpUrl" | "mailFrom">): MailTransport {
  return config.smtpUrl ? createSmtpTransport(config.smtpUrl, config.mailFrom) : captured;
}

/** Mails are in the `mails` table anyway; capturing one means leaving it there. */
const captured: MailTransport = {
  send: async () => "It lies in the captured mailbox.",
  verify: async () => {},
  captures: true,
  close() {},
};

/** Beyond this computer nothing goes out unencrypted. */
function createSmtpTransport(url: string, from: string): MailTransport {
  const isLocal = isLoopback(new URL(url).hostname);
  const server = createTransport(
    {
      url,
      pool: true,
      maxConnections: mailConnections,
      // A mail that a connection loses is retried from the table, where the failure is visible.
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
    async send({ messageId, replyTo, ...mail }, signal) {
      const message = {
        ...mail,
        replyTo: replyTo ?? undefined,
        messageId: `<${messageId}>`,
        signal,
      };
      const facts = { "server.address": new URL(url).hostname };
      const sent = await runTraced({ name: "mail send", kind: "client", facts }, () =>
        server.sendMail(message).catch((error: unknown) => {
          throw toMailNotSent(error, signal, mail.to);
        }),
      );
      return sent.response;
    },
    verify: async () => void (await server.verify()),
    captures: false,
    close: () => server.close(),
  };
}

/** Only these answers concern the mail itself. Any other concerns the server. */
const aboutTheMail = new Set(["RCPT TO", "DATA"]);
/** The server asks for a login, which is a matter of our settings. */
const loginRequired = 530;

function toMailNotSent(error: unknown, signal: AbortSignal, recipient: string): MailNotSent {
  if (signal.aborted) return new MailNotSent("The mail server was too slow.", false);
  const { message, command, responseCode, permanent } = error as SmtpError;
  const isFinal =
    permanent === true && responseCode !== loginRequired && aboutTheMail.has(command ?? "");
  return new MailNotSent(redactAddresses(message, recipient), isFinal);
}

type SmtpError = Error & { command?: string; responseCode?: number; permanent?: boolean };

function redactAddresses(text: string, recipient: string): string {
  const plain = text
    .replaceAll(recipient, "(address)")
    .replace(/[^\s<>:,;"']+@[^\s<>:,;"']+/g, "(address)");
  return truncateToUnits(plain, 500);
}
