import { createTransport } from "nodemailer";
import type { Config } from "../platform/config.server.ts";

/** A mail as it goes out. */
export type OutgoingMail = {
  /** Without angle brackets; the same at every try, so that a repeat can be recognised. */
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
  send(mail: OutgoingMail): Promise<void>;
  /** True when mails stay readable here instead of leaving. */
  captures: boolean;
  close(): void;
};

/** SMTP when the configuration names a server, else the captured mailbox of the demonstration. */
export function mailTransport(config: Pick<Config, "smtpUrl" | "mailFrom">): MailTransport {
  return config.smtpUrl ? smtp(config.smtpUrl, config.mailFrom) : captured;
}

/** Mails lie in the `mails` table anyway; capturing one means to leave it there. */
const captured: MailTransport = { send: async () => {}, captures: true, close() {} };

function smtp(url: string, from: string): MailTransport {
  const server = createTransport(url, { from });
  return {
    async send({ messageId, replyTo, ...mail }) {
      await server.sendMail({
        ...mail,
        replyTo: replyTo ?? undefined,
        messageId: `<${messageId}>`,
      });
    },
    captures: false,
    close: () => server.close(),
  };
}
