/** How people apply for a job and reach its contact. Not in rules.ts: the board need not load it. */
import type { Toast } from "../platform/app-context.server.ts";
import { type Contact, type ContactPart, parseContact, plainLine } from "./contact.ts";
import type { JobContacts } from "./rules.ts";

/** The result of applying or making contact: a page, a mail, or a message on the screen. */
export type Way =
  | { kind: "page"; url: string }
  | { kind: "mail"; url: string }
  | { kind: "toast"; toast: Toast };

export const waysToApply = ["portal", "poc"] as const;
export type StepName = (typeof waysToApply)[number];

/** The contacts that a screen shows, and the effects of its two buttons. A visitor gets no contacts. */
export type ShownContacts = {
  isVisitor: boolean;
  name: string | null;
  parts: ContactPart[];
  ways: Record<StepName, Way>;
};

/** Reads contacts on the server, so that browsers need not load how. */
export function showContacts(contacts: JobContacts | null): ShownContacts {
  return {
    isVisitor: contacts === null,
    name: contacts?.pocName ?? null,
    parts: (contacts && contactOf(contacts)?.parts) ?? [],
    ways: { portal: wayOf("portal", contacts), poc: wayOf("poc", contacts) },
  };
}

/** @param contacts null for a visitor */
export function wayOf(name: StepName, contacts: JobContacts | null): Way {
  return name === "portal" ? wayToPortal(contacts) : wayToPoc(contacts);
}

function wayToPortal(contacts: JobContacts | null): Way {
  if (!contacts)
    return authenticationRequired("Please sign in or create an account to apply for jobs.");
  const url = webLink(contacts.portalApplicationLink);
  if (url) return { kind: "page", url };
  return toastOf("Application Link Missing", "This job doesn't have a portal application link.");
}

function wayToPoc(contacts: JobContacts | null): Way {
  if (!contacts)
    return authenticationRequired("Please sign in or create an account to access contact details.");
  const contact = contactOf(contacts);
  if (!contact)
    return toastOf(
      "Contact Information Missing",
      "This job doesn't have direct contact information.",
    );
  const { parts, opens } = contact;
  if (opens) return opens;
  const description = parts.map(({ text }) => text).join("");
  return { kind: "toast", toast: { kind: "info", title: "Contact POC Directly", description } };
}

/** The contact that "Contact POC Directly" uses; null when the job has none. */
function contactOf({ pocContact, directApplicationLink }: JobContacts): Contact | null {
  const contacts = [pocContact, directApplicationLink].map((value) => parseContact(value ?? ""));
  return contacts.find(({ parts }) => parts.length > 0) ?? null;
}

/** The address of a web page, or null for anything else, such as a script disguised as a link. */
export function webLink(value: string | null): string | null {
  const text = plainLine(value ?? "");
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

function authenticationRequired(description: string): Way {
  return toastOf("Authentication Required", description);
}

function toastOf(title: string, description: string): Way {
  return { kind: "toast", toast: { kind: "error", title, description } };
}
