import type { FormEvent, ReactNode } from "react";
import { Form, Link } from "react-router";
import { Button, type ButtonProps, ButtonLink } from "../../ui/form/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { contactValue, type JobContacts, wayOf, type StepName } from "../rules.ts";

/** Who to ask and where to apply. A visitor has no contacts here, and is led to sign in. */
export function ApplySheet({ jobId, contacts }: { jobId: string; contacts: JobContacts | null }) {
  const page = `/jobs/${jobId}`;
  return (
    <Card title={<span className="text-xl">Point of Contact</span>} className="border-ink">
      {contacts ? (
        <PointOfContact contacts={contacts} />
      ) : (
        <p className="text-sm text-ink-soft">
          Sign in or create an account to view contact details
        </p>
      )}
      <div className="mt-5 grid gap-3">
        <WayButton name="portal" page={page} contacts={contacts}>
          Apply via Portal
        </WayButton>
        <WayButton name="poc" page={page} contacts={contacts} variant="secondary">
          Contact POC Directly
        </WayButton>
      </div>
      {!contacts && (
        <p className="mt-3 flex flex-wrap items-center justify-center gap-x-2 text-sm">
          <Link
            to={`/login?next=${page}`}
            className="inline-flex min-h-11 items-center font-semibold"
          >
            Sign in to apply
          </Link>
          <span>or</span>
          <Link
            to={`/signup?next=${page}`}
            className="inline-flex min-h-11 items-center font-semibold"
          >
            Create account
          </Link>
        </p>
      )}
    </Card>
  );
}

function PointOfContact({ contacts }: { contacts: JobContacts }) {
  const contact = contactValue(contacts);
  if (!contacts.pocName && !contact)
    return <p className="text-sm text-ink-soft">Nobody is named for this job.</p>;
  return (
    <div className="min-w-0">
      {contacts.pocName && <p className="text-lg font-semibold">{contacts.pocName}</p>}
      {contact && <p className="text-sm [overflow-wrap:anywhere] text-ink-soft">{contact}</p>}
    </div>
  );
}

/** A link where there is something to open; else a button that says why not, also without scripts. */
function WayButton({
  name,
  page,
  contacts,
  variant,
  children,
}: {
  name: StepName;
  page: string;
  contacts: JobContacts | null;
  variant?: ButtonProps["variant"];
  children: ReactNode;
}) {
  const way = wayOf(name, contacts);
  if (way.kind === "page") {
    return (
      <ButtonLink
        to={way.url}
        target="_blank"
        rel="noopener noreferrer"
        variant={variant}
        aria-description="Opens in a new tab"
      >
        {children}
        <Icon name="external" />
      </ButtonLink>
    );
  }
  if (way.kind === "mail") {
    return (
      <ButtonLink to={way.url} variant={variant}>
        {children}
        <Icon name="mail" />
      </ButtonLink>
    );
  }
  const tell = (event: FormEvent) => {
    event.preventDefault();
    showToast(way.toast);
  };
  return (
    <Form method="post" action={page} onSubmit={tell}>
      <Button type="submit" name="way" value={name} variant={variant} className="w-full">
        {children}
      </Button>
    </Form>
  );
}
