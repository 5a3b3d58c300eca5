import { Fragment } from "react";
import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { complaintPromise } from "./seller-details.tsx";

type Product = { name: string; supportEmail: string };
type Message = {
  ticket: string;
  name: string;
  email: string;
  subject: string;
  message: string;
};

/** The message as an email to support. A reply goes to the sender. */
export function MessageMail({ product, message }: { product: Product; message: Message }) {
  const { ticket, name, email, subject } = message;
  return (
    <MailLayout product={product} title={subject} preview={`Message from ${name}`}>
      <MailText>
        From: {name}, {email}
        <br />
        Ticket: {ticket}
      </MailText>
      <MessageText text={message.message} />
    </MailLayout>
  );
}

/**
 * The confirmation to the sender. It uses only our own words, since anyone can enter any address.
 *
 * @param copies whether to include their message, only for people signed in with this address
 */
export function MessageConfirmationMail({
  product,
  message,
  copies,
  link,
}: {
  product: Product;
  message: Message;
  copies: boolean;
  /** The address where they can follow the message. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title="We received your message"
      preview="Thank you for contacting us."
    >
      <MailText>Thank you for contacting us. We'll get back to you soon.</MailText>
      <MailText>
        Your ticket number is {message.ticket}. Quote it if you contact us about this again.
      </MailText>
      <MailText>{complaintPromise}</MailText>
      <MailAction href={link}>Follow your message</MailAction>
      {copies ? (
        <>
          <MailText>Your message, “{message.subject}”:</MailText>
          <MessageText text={message.message} />
        </>
      ) : (
        <MailText>If you didn't contact us, ignore this email.</MailText>
      )}
    </MailLayout>
  );
}

/** A reply from our staff to the sender. */
export function MessageAnswerMail({
  product,
  ticket,
  writtenOn,
  answer,
  complaint,
  link,
}: {
  product: Product;
  ticket: string;
  /** The date of their message. */
  writtenOn: string;
  answer: string;
  /** Their complaint, for their records; null for other messages. */
  complaint: Pick<Message, "subject" | "message"> | null;
  /** The address where they can follow the message. */
  link: string;
}) {
  return (
    <MailLayout product={product} title="Our reply to your message" preview={`Ticket ${ticket}`}>
      <MessageText text={answer} />
      <MailAction href={link}>Open your message</MailAction>
      <MailText>
        You contacted us on {writtenOn}. To continue, write to us from that page, or reply to this
        email and keep ticket number {ticket} in the subject.
      </MailText>
      {complaint && (
        <>
          <MailText>Your complaint, “{complaint.subject}”:</MailText>
          <MessageText text={complaint.message} />
        </>
      )}
    </MailLayout>
  );
}

/** To an admin: messages that nobody has read, or that are not settled, shortly before their deadline. */
export function MessagesDueMail({
  product,
  origin,
  title,
  messages,
  total,
}: {
  product: Product;
  origin: string;
  title: string;
  messages: { ticket: string; subject: string; due: string }[];
  /** The number of messages; the email lists some of them. */
  total: number;
}) {
  return (
    <MailLayout product={product} title={title} preview={messages[0]?.subject ?? title}>
      {messages.map(({ ticket, subject, due }) => (
        <MailText key={ticket}>
          <a href={`${origin}/admin/messages/${ticket}`}>{subject}</a>
          <br />
          {ticket}, {due}
        </MailText>
      ))}
      {total > messages.length && <MailText>And {total - messages.length} more.</MailText>}
      <MailAction href={`${origin}/admin/messages`}>Open the messages</MailAction>
    </MailLayout>
  );
}

/** Inserts a <br> per line break, since email programs ignore plain line breaks. */
function MessageText({ text }: { text: string }) {
  return (
    <MailText>
      {text.split("\n").map((line, number) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines are never reordered
        <Fragment key={number}>
          {number > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </MailText>
  );
}
