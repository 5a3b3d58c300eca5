import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { SubmitButton } from "../ui/form/button.tsx";
import { Field, FormAlert, TextAreaField, useFocusFirstError } from "../ui/form/field.tsx";
import { useHydrated, useRenderedByServer } from "../ui/hydrated.ts";

type Texts = Record<string, string>;

/** The message form; after a message went out, its ticket number above an empty form. */
export function ContactFormView({
  ticket,
  errors = {},
  values,
}: {
  ticket: string | null;
  errors?: Texts;
  values: Texts;
}) {
  useFocusFirstError(errors);
  // The form is empty once it is sent.
  const readOnly = useNavigation().formMethod === "POST";
  return (
    <section className="contact-sheet" aria-labelledby="message">
      <h2 id="message">Send us a message</h2>
      {ticket && <Sent key={`sent ${ticket}`} ticket={ticket} />}
      {/* A new key empties the form; the server's messages are the ones to read, not the browser's. */}
      <Form key={ticket} method="post" noValidate className="contact-form">
        <FormAlert>{errors[""]}</FormAlert>
        <div className="contact-who">
          <Field
            label="Name"
            name="name"
            placeholder="Your name"
            autoComplete="name"
            defaultValue={values.name}
            readOnly={readOnly}
            error={errors.name}
          />
          <Field
            label="Email"
            name="email"
            type="email"
            placeholder="Your email"
            autoComplete="email"
            defaultValue={values.email}
            readOnly={readOnly}
            error={errors.email}
          />
        </div>
        <Field
          label="Subject"
          name="subject"
          placeholder="Message subject"
          autoComplete="off"
          defaultValue={values.subject}
          readOnly={readOnly}
          error={errors.subject}
        />
        <TextAreaField
          label="Message"
          name="message"
          placeholder="Type your message here..."
          defaultValue={values.message}
          readOnly={readOnly}
          error={errors.message}
        />
        <SpamTrap renderedAt={values.renderedAt ?? ""} />
        <SubmitButton pendingLabel="Sending...">Send Message</SubmitButton>
      </Form>
    </section>
  );
}

/** A field that no person sees and no browser fills in by itself; see `isSuspect`. */
function SpamTrap({ renderedAt }: { renderedAt: string }) {
  const hydrated = useHydrated();
  return (
    <>
      <div className="contact-trap" aria-hidden="true">
        <label>
          Leave this empty
          <input name="topic" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <input type="hidden" name="renderedAt" value={hydrated ? "" : renderedAt} />
    </>
  );
}

function Sent({ ticket }: { ticket: string }) {
  const element = useRef<HTMLDivElement>(null);
  const cameWithPage = useRenderedByServer();
  useEffect(() => {
    if (!cameWithPage) element.current?.focus();
  }, [cameWithPage]);
  return (
    <div ref={element} className="contact-sent" tabIndex={-1}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <path d="M4 10h32v22H4z" />
        <path d="m4 11 16 13 16-13" />
        <path className="contact-flag" d="M20 24V2h13l-4 4 4 4H20" />
      </svg>
      <div>
        <h3>Message Sent</h3>
        <p>
          Your ticket number is <strong className="contact-ticket">{ticket}</strong>. Name it when
          you write or call about this again.
        </p>
        <p>Unless you have just had one, a confirmation is on its way to your inbox.</p>
      </div>
    </div>
  );
}
