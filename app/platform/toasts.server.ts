import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { RouterContextProvider } from "react-router";
import type { Cookie } from "./cookies.ts";
import { requestFacts, type Toast } from "./app-context.server.ts";

/** The cookie that carries toasts over a redirect. */
export const toastCookie: Cookie = { name: "toasts" };

const carried = z
  .array(
    z.object({
      kind: z.enum(["success", "error", "warning", "info"]),
      title: z.string().max(300),
      description: z.string().max(500).optional(),
      about: z.string().max(30).optional(),
      id: z.string().max(20).optional(),
    }),
  )
  .max(5);

/** Shows the person a message, on the page that the answer leads to. */
export function addToast(context: Readonly<RouterContextProvider>, message: Toast): void {
  context.get(requestFacts).toasts.push(message);
}

/** Takes the toasts that are waiting, so that each is shown once. */
export function consumeToasts(context: Readonly<RouterContextProvider>): Toast[] {
  const facts = context.get(requestFacts);
  const taken = facts.toasts.splice(0);
  facts.shownToasts.push(...taken);
  return taken;
}

/** Reads the toasts that an earlier answer left in the cookie; a malformed cookie holds none. */
export function readCarriedToasts(cookie: string | null | undefined): Toast[] {
  if (!cookie) return [];
  try {
    return carried.parse(JSON.parse(Buffer.from(cookie, "base64url").toString()));
  } catch {
    return [];
  }
}

/**
 * The cookie's value for toasts that still wait when the answer leaves. Each is given an id: a browser
 * that asks for two things at once has the same cookie with both.
 */
export function encodeToasts(toasts: Toast[]): string {
  const named = toasts.slice(0, 5).map((toast) => ({ id: generateToastId(), ...toast }));
  return Buffer.from(JSON.stringify(named)).toString("base64url");
}

function generateToastId(): string {
  return randomBytes(6).toString("base64url");
}
