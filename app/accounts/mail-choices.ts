/**
 * The emails that people can turn off or get later; safe for the browser. Emails about payments and account
 * security are always sent.
 */
import type { RoleFlags } from "./roles.ts";

export const mailChoices = {
  "at once": "Immediately",
  "every morning": "Every morning, in one email",
  never: "Never",
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
const offOrOn = ["never", "at once"] as const;

export const choosableMails = {
  "review-assigned": {
    label: "A reviewer is assigned to my review",
    choices: onOrOff,
    isFor: isAnyUser,
  },
  "review-ready": {
    label: "My review is ready, or my question about it is answered",
    choices: onOrOff,
    isFor: isAnyUser,
  },
  "saved-job-closes": {
    label: "A job that I saved closes in three days",
    choices: offOrOn,
    isFor: isAnyUser,
  },
  "work-changed": {
    label: "A review or a question is assigned to me or taken away",
    choices: onOrOff,
    isFor: hasReviewerRole,
  },
  "work-due": {
    label: "A review is due soon (75% of the time has passed)",
    choices: onOrOff,
    isFor: hasReviewerRole,
  },
  "new-order": {
    label: "Someone bought a review",
    choices: ["at once", "every morning", "never"],
    isFor: hasGodAdminRole,
  },
  "review-late": {
    label: "A review is still unassigned halfway to its deadline, or is overdue",
    choices: onOrOff,
    isFor: hasGodAdminRole,
  },
  "job-reported": {
    label: "Several people reported a listing",
    choices: onOrOff,
    isFor: hasGodAdminRole,
  },
} as const satisfies Record<string, Choosable>;
export type ChoosableMail = keyof typeof choosableMails;

const kinds = Object.keys(choosableMails) as ChoosableMail[];

/** Lists the optional emails for a person with these roles, in display order. */
export function listChoosableMails(person: RoleFlags): ChoosableMail[] {
  return kinds.filter((kind) => choosableMails[kind].isFor(person));
}

/** Returns the choice with this name, or null if this kind of email doesn't offer it. */
export function parseMailChoice(kind: ChoosableMail, text: string | undefined): MailChoice | null {
  const { choices }: Choosable = choosableMails[kind];
  return choices.find((choice) => choice === text) ?? null;
}
