import { Form, useNavigation } from "react-router";
import type { MailState } from "../../mail/rules.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { Link } from "../../ui/link.tsx";
import { kindLabels, type LinkedKind, type MessageKind, messageKinds } from "../rules.ts";
import type { Refused } from "./answer-form.tsx";
import * as styles from "./letter.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";

const mailStateLabels: Record<MailState, string> = {
  waiting: "Email queued",
  failing: "Email not delivered yet, retrying",
  "given-up": "Email not delivered",
  sent: "Email sent",
  dropped: "Email discarded",
};

/** A message, a follow-up or a reply. */
export function WrittenMessage({
  by,
  when,
  text,
  isOurs = false,
  mail = null,
}: {
  by: string;
  when: string;
  text: string;
  isOurs?: boolean;
  /** The state of a reply's email; null once it is deleted. */
  mail?: MailState | null;
}) {
  return (
    <article className={styles.letter} data-ours={isOurs || undefined}>
      <header>
        {by}, {when}
        {isOurs && mail && (
          <>
            {" "}
            ·{" "}
            <span className={mail === "given-up" ? "font-semibold text-danger" : undefined}>
              {mailStateLabels[mail]}
            </span>
          </>
        )}
      </header>
      <p>{text}</p>
    </article>
  );
}

type MessageView = {
  name: string;
  email: string;
  senderId: string | null;
  sent: string;
  read: string | null;
  due: DueView | null;
  owner: string | null;
  ownerId: string | null;
  isMine: boolean;
  kind: MessageKind;
  links: { kind: LinkedKind; label: string; to: OwnPath }[];
  note: string;
};

/** The facts of a message, with the forms that change them. */
export function MessageDetails({ message, refused }: { message: MessageView; refused: Refused }) {
  const { name, email, senderId, sent, read, due } = message;
  return (
    <>
      <dl className={`${factsStyles.facts} ${factsStyles.narrow}`}>
        <dt>From</dt>
        <dd>{senderId ? <Link to={`/admin/users/${senderId}`}>{name}</Link> : name}</dd>
        <dt>Email</dt>
        <dd>
          <a href={`mailto:${email}`}>{email}</a>
        </dd>
        <dt>Logged in</dt>
        <dd>{senderId ? "Yes" : "No. The sender's identity isn't verified."}</dd>
        <dt>Sent</dt>
        <dd>{sent}</dd>
        <dt>Read</dt>
        <dd>{read ?? "Not yet"}</dd>
        {due && (
          <>
            <dt>{read ? "To settle" : "To read"}</dt>
            <dd>
              <DueDate due={due} withDate />
            </dd>
          </>
        )}
      </dl>
      <OwnerForm {...message} />
      <MessageLinks links={message.links} refused={refused} />
      <KindForm kind={message.kind} error={refused?.errors.kind} />
      <NoteForm note={message.note} refused={refused} />
    </>
  );
}

function OwnerForm({ owner, ownerId, isMine }: MessageView) {
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p>
        {isMine
          ? "You take care of this message."
          : owner
            ? `${owner} takes care of it.`
            : "Nobody has taken it over yet."}
      </p>
      <input type="hidden" name="seenOwner" value={ownerId ?? ""} />
      {!isMine && (
        <SubmitButton intent="take-over" variant="secondary" pendingLabel="Taking over...">
          Take over
        </SubmitButton>
      )}
    </Form>
  );
}

function MessageLinks({ links, refused }: { links: MessageView["links"]; refused: Refused }) {
  return (
    <section className={styles.links}>
      <h2>About</h2>
      {links.length > 0 && (
        <ul>
          {links.map(({ kind, label, to }) => (
            <li key={kind}>
              <Link to={to}>{label}</Link>
              <Form method="post" preventScrollReset>
                <input type="hidden" name="linked" value={kind} />
                <SubmitButton intent="unlink" variant="ghost" size="sm" pendingLabel="Removing...">
                  Remove
                  <span className="sr-only">: {label}</span>
                </SubmitButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form method="post" noValidate preventScrollReset className={styles.form}>
        <Field
          label="Order, review or job"
          name="target"
          autoComplete="off"
          placeholder="ID or address"
          defaultValue={refused?.values.target}
          error={refused?.errors.target}
        />
        <SubmitButton intent="link" variant="secondary" pendingLabel="Linking...">
          Link
        </SubmitButton>
      </Form>
    </section>
  );
}

function KindForm({ kind, error }: { kind: MessageKind; error?: string }) {
  return (
    <Form key={kind} method="post" preventScrollReset className={styles.form}>
      <SelectField
        label="Kind"
        name="kind"
        defaultValue={kind}
        options={messageKinds.map((value) => ({ value, label: kindLabels[value] }))}
        error={error}
      />
      <SubmitButton intent="kind" variant="secondary" pendingLabel="Saving...">
        Save kind
      </SubmitButton>
    </Form>
  );
}

function NoteForm({ note, refused }: { note: string; refused: Refused }) {
  const isSaving = useNavigation().formData?.get("intent") === "note";
  return (
    <Form method="post" noValidate preventScrollReset className={styles.form}>
      <input type="hidden" name="seen" value={note} />
      <TextAreaField
        label="Note"
        name="note"
        rows={4}
        // The saved note replaces the text in the field.
        readOnly={isSaving}
        defaultValue={refused?.values.note ?? note}
        error={refused?.errors.note}
        hint="Only admins can see this."
      />
      <SubmitButton intent="note" variant="secondary" pendingLabel="Saving...">
        Save note
      </SubmitButton>
    </Form>
  );
}
