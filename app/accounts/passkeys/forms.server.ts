import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import { ownPath } from "../../platform/own-path.ts";

const typed = z.string().default("");
const unread = "This passkey could not be read. Please try again.";
/** In characters; a browser sends about a thousand. */
const longest = 20_000;

/** What a browser's passkey answered, as JSON. What is in it is looked at where it is verified. */
const json = typed.transform((text, context): unknown => {
  const answer = z.looseObject({ id: z.string().min(1).max(2000), response: z.looseObject({}) });
  const parsed = text.length <= longest ? answer.safeParse(parse(text)) : undefined;
  if (parsed?.success) return parsed.data;
  context.addIssue({ code: "custom", message: unread });
  return z.NEVER;
});

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const name = typed
  .transform((text) => text.replace(/\p{Cc}/gu, " ").trim())
  .pipe(z.string().min(1, "Please give it a name").max(60, "This is too long."));

export const passkeyForm = z.object({
  response: json.transform((answer) => answer as AuthenticationResponseJSON),
  next: typed.transform((candidate) => ownPath(candidate)),
});

export const newPasskeyForm = z.object({
  response: json.transform((answer) => answer as RegistrationResponseJSON),
  name,
});

export const renamedPasskeyForm = z.object({ id: typed, name });
