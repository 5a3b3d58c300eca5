import { z } from "zod";
import { ownPath } from "../platform/own-path.ts";
import {
  credentialsMissing,
  maximumPasswordLength,
  minimumPasswordLength,
  passwordCriteria,
} from "./rules.ts";

const tooLong = "This is too long.";

/** Lower case, since one person must not have two accounts by the spelling of an address. */
const email = (message: string) =>
  z.string().trim().toLowerCase().max(254, tooLong).pipe(z.email(message));

/** Where to go afterwards; anything that is not a path of ours counts as absent. */
const next = z
  .string()
  .optional()
  .transform((candidate) => ownPath(candidate));

// Unicode control characters have no place in a name and would break a mail's header.
const name = z
  .string()
  .transform((text) => text.replace(/\p{Cc}/gu, " ").trim())
  .pipe(z.string().min(1, "Please enter your full name").max(120, tooLong));

const presentEmail = z
  .string()
  .trim()
  .min(1, credentialsMissing)
  .pipe(email("Please enter a valid email address"));
const presentPassword = z.string().min(1, credentialsMissing).max(maximumPasswordLength, tooLong);

export const signInForm = z.object({
  email: z.string().trim().toLowerCase().min(1, credentialsMissing).max(254, tooLong),
  password: presentPassword,
  next,
});

/** The checks run in the order that the specification gives: match, terms, length. */
export const signUpForm = z
  .object({
    fullName: name,
    email: presentEmail,
    password: presentPassword,
    confirmPassword: z.string(),
    terms: z.string().optional(),
    next,
  })
  .superRefine(({ password, confirmPassword, terms }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (password !== confirmPassword) refuse("confirmPassword", "Passwords do not match");
    else if (!terms) refuse("terms", "You must accept the terms and conditions");
    else if (password.length < minimumPasswordLength) {
      refuse("password", "Password must be at least 8 characters long");
    }
  });

export const resendForm = z.object({ email: presentEmail });

export const addressForm = z.object({ email: email("Please enter a valid email address"), next });

export const resetForm = z
  .object({
    token_hash: z.string().max(200).optional(),
    access_token: z.string().max(200).optional(),
    password: z.string().max(maximumPasswordLength, tooLong),
    confirmPassword: z.string(),
  })
  .superRefine(({ password, confirmPassword }, context) => {
    const unmet = passwordCriteria.find((criterion) => !criterion.isMet(password));
    if (unmet) context.addIssue({ code: "custom", path: ["password"], message: unmet.message });
    if (password !== confirmPassword) {
      context.addIssue({
        code: "custom",
        path: ["confirmPassword"],
        message: "Passwords do not match",
      });
    }
  });

export const linkForm = z.object({
  token_hash: z.string().max(200).optional(),
  access_token: z.string().max(200).optional(),
});
