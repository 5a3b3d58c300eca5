import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { parseOwnPath } from "../platform/own-path.ts";
import { normalizeEmail } from "../platform/text/text.ts";
import { createFieldLengthCheck, line } from "../platform/text/text-fields.server.ts";
import { isCommonPassword } from "./passwords.server.ts";
import {
  commonPassword,
  composePassword,
  credentialsMissing,
  linkMessages,
  maximumPasswordLength,
  minimumPasswordLength,
  passwordCriteria,
} from "./rules.ts";

const tooLong = "This is too long.";

/** A missing field counts as empty, so that people see our message about it. */
const typed = z.string().default("");

/** Lower-cases the address, so that two spellings of it can't have two accounts. */
const emailAddress = z
  .string()
  .transform(normalizeEmail)
  .pipe(z.string().max(254, tooLong))
  .pipe(z.email("Please enter a valid email address"));

/** The path to return to. A URL of another site counts as absent. */
const next = typed.transform((candidate) => parseOwnPath(candidate));

const name = line.pipe(
  z.string().min(1, "Please enter your full name").refine(createFieldLengthCheck(120), tooLong),
);

const presentEmail = typed.pipe(z.string().trim().min(1, credentialsMissing)).pipe(emailAddress);
/** A password that will be hashed. */
const newPassword = typed.transform(composePassword);
const shortEnoughPassword = newPassword.pipe(z.string().max(maximumPasswordLength, tooLong));
const presentPassword = newPassword.pipe(
  z.string().min(1, credentialsMissing).max(maximumPasswordLength, tooLong),
);

/** A password to compare. It isn't composed here, because imported hashes hold the typed form. */
const currentPassword = typed.refine(
  (password) => composePassword(password).length <= maximumPasswordLength,
  tooLong,
);

export const signInForm = z
  .object({
    email: typed.transform(normalizeEmail).pipe(z.string().max(254, tooLong)),
    password: currentPassword,
    next,
  })
  .superRefine(({ email: address, password }, context) => {
    if (address && password) return;
    const path = [address ? "password" : "email"];
    context.addIssue({ code: "custom", path, message: credentialsMissing });
  });

export const signInAgainForm = z.object({
  password: currentPassword.refine((password) => password !== "", "Please enter your password"),
  next,
});

/** A code from an authenticator app, or a recovery code. */
const code = line.pipe(z.string().min(1, "Please enter the code").max(60, tooLong));

export const codeForm = z.object({ code, next });

/**
 * Each empty field has its own message. The other checks run in the specification's order: match, terms, length. The
 * check for common passwords comes last (see docs/decisions/common-passwords.md).
 */
export const signUpForm = z
  .object({
    fullName: name,
    email: presentEmail,
    password: shortEnoughPassword,
    confirmPassword: newPassword,
    terms: typed,
    next,
  })
  .superRefine(({ email, password, confirmPassword, terms }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (!password) refuse("password", email ? credentialsMissing : "Please enter a password");
    if (!password && !confirmPassword) refuse("confirmPassword", "Please repeat the password");
    if (password !== confirmPassword) refuse("confirmPassword", "Passwords do not match");
    else if (!terms) refuse("terms", "You must accept the terms and conditions");
    else if (password) {
      const problem = findPasswordProblem(password);
      if (problem) refuse("password", problem);
    }
  });

/** Returns why a new account cannot have this password; null when it can. */
function findPasswordProblem(password: string): string | null {
  if (password.length < minimumPasswordLength)
    return `Password must be at least ${minimumPasswordLength} characters long`;
  return isCommonPassword(password) ? commonPassword : null;
}

/** The operator's form for a new account. Without a password, the person chooses one later. */
export const accountForm = z
  .object({ email: presentEmail, fullName: name, password: presentPassword.nullable() })
  .superRefine(({ password }, context) => {
    if (password === null) return;
    const problem = findPasswordProblem(password);
    if (problem) context.addIssue({ code: "custom", path: ["password"], message: problem });
  });

/** A correction of one's own name, and of one's own address. */
export const nameForm = z.object({ fullName: name });
export const newAddressForm = z.object({
  email: typed.pipe(z.string().trim().min(1, "Please enter an email address")).pipe(emailAddress),
});

export const resendForm = z.object({ email: presentEmail });

export const addressForm = z.object({
  email: typed.pipe(emailAddress),
  next,
});

/** The tokens of an emailed link; one valid token is enough. */
export const linkForm = z.object({ token_hash: typed, access_token: typed });

export const resetForm = linkForm
  .extend({
    password: shortEnoughPassword,
    confirmPassword: newPassword,
  })
  .superRefine(({ password, confirmPassword, token_hash, access_token }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    const unmet = passwordCriteria.find((criterion) => !criterion.isMet(password));
    if (unmet) refuse("password", unmet.message);
    else if (isCommonPassword(password)) refuse("password", commonPassword);
    if (password !== confirmPassword) refuse("confirmPassword", "Passwords do not match");
    const isValid = context.issues.length === 0;
    if (isValid && !token_hash && !access_token) refuse("", linkMessages.recovery.missing);
  });

const unreadPasskey = "We couldn't read this passkey. Please try again.";
/** In characters; a browser sends about a thousand. */
const maxAnswerLength = 20_000;

/** A passkey's response, as JSON. Its content is checked when it is verified. */
const passkeyAnswer = typed.transform((text, context): unknown => {
  const answer = z.looseObject({ id: z.string().min(1).max(2000), response: z.looseObject({}) });
  const parsed =
    text.length <= maxAnswerLength ? answer.safeParse(parsePasskeyJson(text)) : undefined;
  if (parsed?.success) return parsed.data;
  context.addIssue({ code: "custom", message: unreadPasskey });
  return z.NEVER;
});

function parsePasskeyJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const passkeyName = line.pipe(
  z.string().min(1, "Please enter a name").refine(createFieldLengthCheck(60), tooLong),
);

export const passkeyForm = z.object({
  response: passkeyAnswer.transform((answer) => answer as AuthenticationResponseJSON),
  next,
});

export const newPasskeyForm = z.object({
  response: passkeyAnswer.transform((answer) => answer as RegistrationResponseJSON),
  name: passkeyName,
});

export const renamedPasskeyForm = z.object({ id: typed, name: passkeyName });
