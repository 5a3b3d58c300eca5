import { Fragment } from "react";
import { MailLayout, MailText } from "../mail/mail-layout.tsx";

type Product = { name: string; supportEmail: string };
type Message = {
  ticket: string;
  name: string;
  email: string;
  subject: string;
  message: string;
};

/** The message as an email to support. A reply goes to the sender. */
export function ContactMessageMail({ product, message }: { product: Product; message: Message }) {
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
export function ContactConfirmationMail({
  product,
  message,
  copies,
}: {
  product: Product;
  message: Message;
  copies: boolean;
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
export function ContactAnswerMail({
  product,
  ticket,
  writtenOn,
  answer,
}: {
  product: Product;
  ticket: string;
  /** The date of their message. */
  writtenOn: string;
  answer: string;
}) {
  return (
    <MailLayout product={product} title="Our reply to your message" preview={`Ticket ${ticket}`}>
      <MessageText text={answer} />
      <MailText>
        You contacted us on {writtenOn}. To continue, reply to this email and keep ticket number{" "}
        {ticket} in the subject.
      </MailText>
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
