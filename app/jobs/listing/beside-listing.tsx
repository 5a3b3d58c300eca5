import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Button, ButtonLink, type ButtonProps } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { StationCard } from "../../ui/layout/station-card.tsx";
import { Link } from "../../ui/link.tsx";
import type { ApplyMethodName, ContactsView } from "../contact/apply-methods.ts";
import { type OwnLabels, useSaving } from "../save-button.tsx";
import { ContactText } from "./contact-text.tsx";
import * as styles from "./listing.module.css";

export const contactId = "contact";

/** The contact and the apply buttons. A visitor sees a request to sign in instead of contacts. */
export function ApplyCard({
  job: { id, company },
  contacts,
  labels,
}: {
  job: { id: string; company: string };
  contacts: ContactsView;
  labels: OwnLabels;
}) {
  const page = `/jobs/${id}`;
  const [isAsking, setAsking] = useState(false);
  const message = useOwnMessage(page, contacts);
  const hasWays = !contacts.isVisitor && contacts.parts.length > 0;
  return (
    <Card title={<span id={contactId}>Point of Contact</span>} className={styles.contact}>
      <PointOfContact contacts={contacts} company={company} />
      <div className={styles.ways}>
        {contacts.isVisitor && <ButtonLink to={`/login?next=${page}`}>Sign in to apply</ButtonLink>}
        <p className={styles.explained}>{contacts.explanation}</p>
        <ApplyButton
          name="portal"
          page={page}
          contacts={contacts}
          variant={contacts.isVisitor ? "secondary" : "primary"}
          onOpen={() => setAsking(!contacts.isVisitor)}
        >
          Apply via Portal
        </ApplyButton>
        <ApplyButton
          name="poc"
          page={page}
          contacts={contacts}
          variant="secondary"
          mail={message?.url}
          onOpen={() => setAsking(!contacts.isVisitor)}
        >
          Contact POC Directly
        </ApplyButton>
        {hasWays && (
          <ButtonLink to={`/jobs/${id}/message`} variant="ghost" size="sm">
            {message?.isComplete === false ? "Copy the message" : "Edit the message first"}
          </ButtonLink>
        )}
      </div>
      {isAsking && <DidYouApply jobId={id} labels={labels} onEnd={() => setAsking(false)} />}
      {contacts.isVisitor && (
        <p className={styles.signUp}>
          <span>New here?</span>
          <Link to={`/signup?next=${page}`}>Create account</Link>
        </p>
      )}
    </Card>
  );
}

/** `isComplete` is false if the message is too long for a link. */
type MailLink = { url: `mailto:${string}`; isComplete: boolean };

/**
 * Reads the link with the reader's own message. The page is the same for all readers and cached, so that this comes
 * afterwards. Until then, and if it fails, the contact's plain link opens an empty email.
 */
function useOwnMessage(page: string, { isVisitor, methods }: ContactsView) {
  const [link, setLink] = useState<MailLink | null>(null);
  const isMail = !isVisitor && methods.poc.kind === "mail";
  useEffect(() => {
    if (isMail)
      fetch(`${page}/message/link`)
        .then((answer) => answer.json())
        .then(setLink, () => {});
  }, [isMail, page]);
  return link;
}

/** Asks whether the person applied, since opening a portal or an email isn't an application. */
function DidYouApply({
  jobId,
  labels,
  onEnd,
}: {
  jobId: string;
  labels: OwnLabels;
  onEnd(): void;
}) {
  const { label, isBusy, submit } = useSaving(jobId, labels);
  const isTracked = label && label !== "Saved";
  return (
    <div className={styles.applied} role="status">
      {isTracked ? (
        <p>
          This job is in your list as “{label}”. <Link to="/profile/jobs">See your jobs</Link>
        </p>
      ) : (
        <>
          <p>Did you apply?</p>
          <Button size="sm" aria-busy={isBusy || undefined} onClick={() => submit("applied")}>
            Yes
          </Button>
          <Button size="sm" variant="secondary" onClick={onEnd}>
            Not yet
          </Button>
        </>
      )}
    </div>
  );
}

/** The person to ask, with the ways to reach them. */
export function PointOfContact({
  contacts: { isVisitor, hasContact, name, initial, parts, notice },
  company,
}: {
  contacts: ContactsView;
  company: string;
}) {
  const signIn = isVisitor && <p>Sign in or create an account to view contact details</p>;
  if (!hasContact)
    return (
      <div className="text-sm text-ink-soft">
        <p>This job doesn't name a contact.</p>
        {signIn}
      </div>
    );
  if (signIn)
    return (
      <StationCard isLocked initial={null} name={`Contact at ${company}`}>
        {signIn}
      </StationCard>
    );
  if (notice) return <p className="text-sm text-ink-soft">{notice}</p>;
  return (
    <StationCard initial={initial} name={name ?? `Contact at ${company}`}>
      {name && <p>{company}</p>}
      {parts.length > 0 && <ContactText parts={parts} />}
    </StationCard>
  );
}

/** A link if there is something to open; otherwise a button that explains why not, even without JavaScript. */
function ApplyButton({
  name,
  page,
  contacts,
  variant,
  mail,
  onOpen,
  children,
}: {
  name: ApplyMethodName;
  page: string;
  contacts: ContactsView;
  variant?: ButtonProps["variant"];
  /** The link of an email with the reader's message, once it is known. */
  mail?: MailLink["url"] | undefined;
  /** Called when the button opens a page or an email. */
  onOpen(): void;
  children: ReactNode;
}) {
  const method = contacts.methods[name];
  if (method.kind === "page") {
    return (
      <ButtonLink
        // Our own address counts the press and leads to the portal.
        to={name === "portal" ? `${page}/portal` : method.url}
        target="_blank"
        rel="noopener noreferrer"
        variant={variant}
        onClick={onOpen}
        aria-description="Opens in a new tab"
      >
        {children}
        <Icon name="external" />
      </ButtonLink>
    );
  }
  if (method.kind === "mail") {
    return (
      <ButtonLink to={mail ?? method.url} variant={variant} onClick={onOpen}>
        {children}
        <Icon name="mail" />
      </ButtonLink>
    );
  }
  const { parts } = contacts;
  const isContact = name === "poc" && parts.length > 0;
  const showMessage = (event: FormEvent) => {
    event.preventDefault();
    showToast({
      ...method.toast,
      details: isContact ? <ContactText parts={parts} /> : undefined,
    });
  };
  return (
    <Form method="post" action={page} onSubmit={showMessage}>
      <Button type="submit" name="way" value={name} variant={variant} className={styles.applyWay}>
        {children}
      </Button>
    </Form>
  );
}
