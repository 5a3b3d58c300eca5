import { Fragment } from "react";
import { MailLayout, MailText } from "../mail/mail-layout.tsx";

type Product = { name: string; supportEmail: string };
type Written = {
  ticket: string;
  name: string;
  email: string;
  subject: string;
  message: string;
};

/** To support: the message, which an answer to this mail answers. */
export function ContactMessageMail({ product, written }: { product: Product; written: Written }) {
  const { ticket, name, email, subject } = written;
  return (
    <MailLayout product={product} title={subject} preview={`A message from ${name}`}>
      <MailText>
        From {name}, {email}
        <br />
        Ticket {ticket}
      </MailText>
      <MessageText text={written.message} />
    </MailLayout>
  );
}

/**
 * To the sender, in fixed words: anybody can write in anybody's name.
 *
 * @param copies whether it repeats what they wrote: for those signed in with this very address
 */
export function ContactConfirmationMail({
  product,
  written,
  copies,
}: {
  product: Product;
  written: Written;
  copies: boolean;
}) {
  return (
    <MailLayout
      product={product}
      title="We have your message"
      preview="Thank you for contacting us."
    >
      <MailText>Thank you for contacting us. We'll get back to you soon.</MailText>
      <MailText>
        Your ticket number is {written.ticket}. Name it when you write about this again.
      </MailText>
      {copies ? (
        <>
          <MailText>You wrote, under “{written.subject}”:</MailText>
          <MessageText text={written.message} />
        </>
      ) : (
        <MailText>If it was not you who wrote to us, ignore this mail.</MailText>
      )}
    </MailLayout>
  );
}

/** The answer to a sender, written by our staff. */
export function ContactAnswerMail({
  product,
  ticket,
  writtenOn,
  answer,
}: {
  product: Product;
  ticket: string;
  /** The day on which they wrote to us. */
  writtenOn: string;
  answer: string;
}) {
  return (
    <MailLayout product={product} title="Our answer to you" preview={`Ticket ${ticket}`}>
      <MessageText text={answer} />
      <MailText>
        You wrote to us on {writtenOn}. Answer this mail to write about it again, and leave the
        ticket number {ticket} in its subject.
      </MailText>
    </MailLayout>
  );
}

/** Line by line, since mail programs keep no line breaks of a text. */
function MessageText({ text }: { text: string }) {
  return (
    <MailText>
      {text.split("\n").map((line, number) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a text never move
        <Fragment key={number}>
          {number > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </MailText>
  );
}
