/** The rules and messages of the account forms, for the browser and the server. */
import { day } from "../platform/clock.ts";

export const minimumPasswordLength = 8;
/** Longer passwords would only keep the server busy hashing. */
export const maximumPasswordLength = 200;

/**
 * Returns a password in the form that is checked and hashed: NFC, as in RFC 8265, because keyboards write é and
 * क़ with different code points.
 */
export function composePassword(typed: string): string {
  return typed.normalize("NFC");
}

type Criterion = { label: string; isMet: (password: string) => boolean; message: string };

/** The five criteria of a strong password; sign-up requires only the first, a reset all of them. */
export const passwordCriteria: Criterion[] = [
  {
    label: `At least ${minimumPasswordLength} characters`,
    isMet: (password) => password.length >= minimumPasswordLength,
    message: `Password must be at least ${minimumPasswordLength} characters`,
  },
  {
    label: "One uppercase letter",
    isMet: (password) => /[A-Z]/.test(password),
    message: "Password must contain at least one uppercase letter",
  },
  {
    label: "One lowercase letter",
    isMet: (password) => /[a-z]/.test(password),
    message: "Password must contain at least one lowercase letter",
  },
  {
    label: "One number",
    isMet: (password) => /\d/.test(password),
    message: "Password must contain at least one number",
  },
  {
    label: "One special character",
    isMet: (password) => /[!@#$%^&*(),.?":{}|<>]/.test(password),
    message: "Password must contain at least one special character",
  },
];

/** The two kinds of emailed links. */
export type LinkKind = "signup" | "recovery";

export const linkHours: Readonly<Record<LinkKind, number>> = { signup: 24, recovery: 1 };

/** Formats the lifetime of an emailed link: "24 hours", "one hour". */
export function formatLinkLifetime(kind: LinkKind): string {
  const hours = linkHours[kind];
  return hours === 1 ? "one hour" : `${hours} hours`;
}

export const linkMessages = {
  signup: {
    invalid: "Invalid or expired confirmation link. Please request a new one.",
    missing: "No confirmation token found. Please request a new confirmation link.",
    unexpected:
      "An unexpected error occurred. Please try again or request a new confirmation link.",
  },
  recovery: {
    invalid: "Invalid or expired password reset link. Please request a new one.",
    missing: "No reset token found. Please request a new password reset link.",
    unexpected: "An unexpected error occurred. Please try again or request a new reset link.",
  },
} as const;

export const emailNotConfirmed =
  "Email not confirmed. Please check your inbox for the verification link.";
export const credentialsMissing = "You must provide either an email or phone number and a password";
export const wrongCredentials = "Invalid email or password";
export const commonPassword = "This password is too common. Please choose another.";

/** In practice, forever. */
export const daysForGood = 100 * 365;

/** The ban lengths that the screen offers. */
export const banLengths: readonly { days: number; label: string }[] = [
  { days: 1, label: "One day" },
  { days: 7, label: "A week" },
  { days: 30, label: "30 days" },
  { days: 365, label: "A year" },
  { days: daysForGood, label: "Permanently" },
];

export const maxBanReasonLength = 500;

/** A closed account can be restored for this long. Then it is purged. */
export const sealedDays = 14;
export const sealedFor = sealedDays * day;

export const accountClosed = "This account is closed.";
