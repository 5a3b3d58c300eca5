import { cookieOf, visitor, type Visitor } from "../support/requests/visitor.ts";
import { soon } from "./soon.ts";
import type { World } from "./world.ts";

const password = "a drill a day keeps";

/** Signs up. @returns the token of the emailed link */
export async function signUp(world: World, email: string): Promise<string> {
  const person = {
    fullName: "Asha Verma",
    email,
    password,
    confirmPassword: password,
    terms: "on",
  };
  const answer = await world.visitor.post("/signup", person);
  if (!answer.ok) throw new Error(`Sign-up was answered with ${answer.status}.`);
  return mailedToken(world, email, "signup");
}

/** Requests a password reset. @returns the token of the emailed link */
export async function requestReset(world: World, email: string): Promise<string> {
  await world.visitor.post("/forgot-password", { email });
  return mailedToken(world, email, "recovery");
}

/** Follows a sign-up link. @returns the signed-in browser; null if the link is refused */
export async function confirm(world: World, token: string): Promise<Visitor | null> {
  const answer = await world.visitor.post("/account-confirmation", { token_hash: token });
  const cookie = cookieOf(answer);
  return cookie.includes("session") ? visitor(world.config.origin, cookie) : null;
}

async function mailedToken(world: World, email: string, type: string): Promise<string> {
  let token: string | undefined;
  await soon(async () => {
    const mails = world.received.filter((text) => text.includes(`To: ${email}`));
    // Mails encode long lines and equal signs this way.
    const text = mails.join().replaceAll("=\r\n", "").replaceAll("=3D", "=");
    token = new RegExp(`token_hash=([\\w-]+)&(?:amp;)?type=${type}`).exec(text)?.[1];
    return token !== undefined;
  });
  return token!;
}
