/**
 * Which mails people may do without, or have later; safe for the browser. All others always come: those about
 * money, and those that keep an account safe or open.
 */
import type { RoleFlags } from "./roles.ts";

export const mailChoices = {
  "at once": "At once",
  "every morning": "Every morning, in one mail",
  never: "Not at all",
} as const;
export type MailChoice = keyof typeof mailChoices;

type Choosable = {
  label: string;
  /** The choices; the first is the default. */
  choices: readonly [MailChoice, ...MailChoice[]];
  isFor(person: RoleFlags): boolean;
};

const isAnyUser = () => true;
const hasReviewerRole = ({ isReviewer }: RoleFlags) => isReviewer;
const hasGodAdminRole = ({ isGodAdmin }: RoleFlags) => isGodAdmin;
const onOrOff = ["at once", "never"] as const;

export const choosableMails = {
  "review-assigned": {
    label: "A reviewer has what I sent in",
    choices: onOrOff,
    isFor: isAnyUser,
  },
  "review-ready": { label: "A review of mine is ready", choices: onOrOff, isFor: isAnyUser },
  "work-changed": {
    label: "Reviews are given to me, or taken back",
    choices: onOrOff,
    isFor: hasReviewerRole,
  },
  "work-due": {
    label: "Three quarters of the time for a review are over",
    choices: onOrOff,
    isFor: hasReviewerRole,
  },
  "new-order": {
    label: "Somebody has bought a review",
    choices: ["at once", "every morning", "never"],
    isFor: hasGodAdminRole,
  },
  "review-late": {
    label: "Nobody has a review at half of its time, or it is overdue",
    choices: onOrOff,
    isFor: hasGodAdminRole,
  },
} as const satisfies Record<string, Choosable>;
export type ChoosableMail = keyof typeof choosableMails;

const kinds = Object.keys(choosableMails) as ChoosableMail[];

/** Lists the mails that a person with these roles gets, in their order. */
export function listChoosableMails(person: RoleFlags): ChoosableMail[] {
  return kinds.filter((kind) => choosableMails[kind].isFor(person));
}

/** The choice that a text names, where this kind of mail has it. */
export function parseMailChoice(kind: ChoosableMail, text: string | undefined): MailChoice | null {
  const { choices }: Choosable = choosableMails[kind];
  return choices.find((choice) => choice === text) ?? null;
}
