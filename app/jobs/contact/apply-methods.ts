/**
 * Rules for applying for a job and contacting its poster. Separate from rules.ts, so that the board doesn't load
 * them.
 */
import type { Toast } from "../../platform/app-context.server.ts";
import { getFirstCharacter } from "../../platform/text/cut-text.ts";
import { type Contact, type ContactPart, parseContact, normalizeLine } from "./parse-contact.ts";
import type { JobContacts } from "../rules.ts";

/** The effect of an apply button: a page, an email or a message on the screen. */
type ApplyMethod =
  | { kind: "page"; url: string }
  | { kind: "mail"; url: `mailto:${string}` }
  | { kind: "toast"; toast: Toast };

export const applyMethods = ["portal", "poc"] as const;
export type ApplyMethodName = (typeof applyMethods)[number];

/** The contacts on a screen and the effects of its two buttons. A visitor gets no contacts. */
export type ContactsView = {
  isVisitor: boolean;
  /** False if the job names nobody and has no link to write to. Visitors see this too. */
  hasContact: boolean;
  name: string | null;
  /** The first character of the name. */
  initial: string | null;
  parts: ContactPart[];
  methods: Record<ApplyMethodName, ApplyMethod>;
  /** The meaning of the words on the two buttons. */
  explanation: string;
  /** Shown in place of the contact. */
  notice?: string;
};

/** Parses contacts on the server, so that browsers don't load the parser. @param contacts null for a visitor */
export function toContactsView(contacts: JobContacts | null, hasContact: boolean): ContactsView {
  return {
    isVisitor: contacts === null,
    hasContact,
    name: contacts?.pocName ?? null,
    initial: getFirstCharacter(contacts?.pocName ?? "").toUpperCase() || null,
    parts: (contacts && findContact(contacts)?.parts) ?? [],
    methods: { portal: applyMethod("portal", contacts), poc: applyMethod("poc", contacts) },
    explanation: contacts ? explanation : `${explanation} Both open once you sign in.`,
  };
}

const explanation =
  "The portal is the company's application page. The POC is the point of contact.";

const tooManyContacts = "You've seen the contacts of 200 jobs today. You can see more tomorrow.";

/** Builds the view for someone who has seen the contacts of too many jobs today. */
export function buildLimitedContacts(
  contacts: JobContacts | null,
  hasContact: boolean,
): ContactsView {
  const hidden = { pocName: null, pocContact: null, directApplicationLink: null };
  const { methods, ...view } = toContactsView(contacts && { ...contacts, ...hidden }, hasContact);
  if (!hasContact) return { ...view, methods };
  const poc = buildToastMethod("Limit reached", tooManyContacts);
  return { ...view, methods: { ...methods, poc }, notice: tooManyContacts };
}

/** Returns the effect of an apply button. @param contacts null for a visitor */
export function applyMethod(name: ApplyMethodName, contacts: JobContacts | null): ApplyMethod {
  return name === "portal" ? getPortalMethod(contacts) : getPocMethod(contacts);
}

function getPortalMethod(contacts: JobContacts | null): ApplyMethod {
  if (!contacts)
    return buildSignInToastMethod("Please sign in or create an account to apply for jobs.");
  const url = parseWebLink(contacts.portalApplicationLink);
  if (url) return { kind: "page", url };
  return buildToastMethod(
    "Application Link Missing",
    "This job doesn't have a portal application link.",
  );
}

function getPocMethod(contacts: JobContacts | null): ApplyMethod {
  if (!contacts)
    return buildSignInToastMethod("Please sign in or create an account to access contact details.");
  const contact = findContact(contacts);
  if (!contact)
    return buildToastMethod(
      "Contact Information Missing",
      "This job doesn't have direct contact information.",
    );
  const { parts, opens } = contact;
  if (opens) return opens;
  const description = parts.map(({ text }) => text).join("");
  return { kind: "toast", toast: { kind: "info", title: "Contact POC Directly", description } };
}

/** Finds the contact for "Contact POC Directly"; null if the job has none. */
export function findContact({
  pocContact,
  directApplicationLink,
}: Pick<JobContacts, "pocContact" | "directApplicationLink">): Contact | null {
  const contacts = [pocContact, directApplicationLink].map((value) => parseContact(value ?? ""));
  return contacts.find(({ parts }) => parts.length > 0) ?? null;
}

/** Parses the address of a web page. Returns null for anything else, such as a script disguised as a link. */
export function parseWebLink(value: string | null): string | null {
  const text = normalizeLine(value ?? "");
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

function buildSignInToastMethod(description: string): ApplyMethod {
  return buildToastMethod("Authentication Required", description);
}

function buildToastMethod(title: string, description: string): ApplyMethod {
  return { kind: "toast", toast: { kind: "error", title, description } };
}
