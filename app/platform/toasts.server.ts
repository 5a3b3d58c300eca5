import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { RouterContextProvider } from "react-router";
import { type OwnPath, parseOwnPath } from "./own-path.ts";
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
      undo: z
        .object({
          action: z.custom<OwnPath>((action) => parseOwnPath(action) === action),
          fields: z.record(z.string(), z.string()),
        })
        .optional(),
      id: z.string().max(20).optional(),
    }),
  )
  .max(5);

/** Shows a toast on the page that the answer leads to. */
export function addToast(context: Readonly<RouterContextProvider>, message: Toast): void {
  context.get(requestFacts).toasts.push(message);
}

/** Returns the waiting toasts and removes them, so that each is shown once. */
export function consumeToasts(context: Readonly<RouterContextProvider>): Toast[] {
  const facts = context.get(requestFacts);
  const toasts = facts.toasts.splice(0);
  facts.shownToasts.push(...toasts);
  return toasts;
}

/** Reads the toasts of an earlier answer from the cookie. A malformed cookie has none. */
export function readCarriedToasts(cookie: string | null | undefined): Toast[] {
  if (!cookie) return [];
  try {
    return carried.parse(JSON.parse(Buffer.from(cookie, "base64url").toString()));
  } catch {
    return [];
  }
}

/**
 * Encodes the toasts that are still waiting for the cookie. Each gets an id, since a browser may send the same cookie
 * with two requests.
 */
export function encodeToasts(toasts: Toast[]): string {
  const named = toasts.slice(0, 5).map((toast) => ({ id: generateToastId(), ...toast }));
  return Buffer.from(JSON.stringify(named)).toString("base64url");
}

function generateToastId(): string {
  return randomBytes(6).toString("base64url");
}
