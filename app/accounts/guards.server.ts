import { type MiddlewareFunction, redirect, type RouterContextProvider } from "react-router";
import { appContext, type Toast } from "../platform/app-context.server.ts";
import { addToast } from "../platform/toasts.server.ts";
import { currentActor, isFactorOverdue, getSignedInActor } from "./actor.server.ts";
import { saveInterruptedForm } from "./interrupted-forms.server.ts";
import type { RoleFlags } from "./roles.ts";

type Guard = MiddlewareFunction<Response>;
type Context = Readonly<RouterContextProvider>;

/** Requires a sign-in. A visitor signs in first and then returns. */
export const requireSignIn: Guard = requireSignInWithToast(() => null);

/** The same, with a word to the visitor about what they came for. */
export function requireSignInWithToast(
  word: (asked: { url: URL; method: string }) => Toast | null,
): Guard {
  return async ({ request, url, context }, next) => {
    if (context.get(currentActor)) return next();
    const message = word({ url, method: request.method });
    if (message) addToast(context, message);
    throw await redirectToSignIn({ request, url, context });
  };
}

/** Lets in who holds the role; others are sent home, with a word for the admin's guard. */
export function requireRole(flag: keyof RoleFlags): Guard {
  return async ({ request, url, context }, next) => {
    const actor = context.get(currentActor);
    if (!actor) throw await redirectToSignIn({ request, url, context });
    if (actor[flag]) return next();
    if (isFactorOverdue(actor)) throw await redirectToFactorSetup({ request, url, context });
    if (flag === "isGodAdmin") {
      addToast(context, {
        kind: "error",
        title: "You don't have admin privileges to access this page",
      });
    } else toastNothingChanged({ request, context });
    throw redirect("/");
  };
}

/**
 * Sends a person whose last sign-in is too old to sign in again, and then back. A form that they sent is
 * restored. Use it behind a guard that requires a sign-in.
 *
 * @param asked `forms`: before a form of the screen is sent; `screen`: before it is opened, too
 */
export function requireRecentSignIn(asked: "forms" | "screen"): Guard {
  return async ({ request, url, context }, next) => {
    const isDue = asked === "screen" || request.method !== "GET";
    if (!isDue || getSignedInActor(context).isProved) return next();
    throw await redirectAndReturn("/sign-in-again", { request, url, context });
  };
}

/** Lets in job-board adders and active subscribers. */
export const requireJobBoardAccess: Guard = async ({ request, url, context }, next) => {
  const actor = context.get(currentActor);
  if (!actor) throw await redirectToSignIn({ request, url, context });
  if (actor.isJobBoardAdder || actor.hasActiveSubscription) return next();
  if (isFactorOverdue(actor)) throw await redirectToFactorSetup({ request, url, context });
  toastNothingChanged({ request, context });
  throw redirect("/");
};

/** Tells people who lost a role while its screen was open. Scripts get an answer of their own. */
function toastNothingChanged({ request, context }: { request: Request; context: Context }): void {
  const isForScripts = request.headers.get("accept") === "application/json";
  if (request.method === "GET" || isForScripts) return;
  addToast(context, {
    kind: "error",
    title: "You can no longer do this",
    description: "Your role has changed. Nothing was saved.",
  });
}

/**
 * The way to the sign-in and back. A form that was sent comes back too, filled in as it was.
 */
function redirectToSignIn(asked: GuardRequest): Promise<Response> {
  return redirectAndReturn("/login", asked);
}

/** The way of staff who have to have a second factor by now, and back. */
function redirectToFactorSetup(asked: GuardRequest): Promise<Response> {
  addToast(asked.context, {
    kind: "warning",
    title: "Please set up a second factor",
    description: "Staff accounts need a second step to continue.",
  });
  return redirectAndReturn("/profile/second-factor", asked);
}

/** `url` is the screen's, which for the router's own requests is not the request's. */
type GuardRequest = { request: Request; url: URL; context: Context };

async function redirectAndReturn(
  way: "/login" | "/sign-in-again" | "/profile/second-factor",
  { request, url, context }: GuardRequest,
): Promise<Response> {
  const screen = request.method === "GET" ? url : (findSendingScreen(request, context) ?? url);
  if (request.method !== "GET") await saveInterruptedForm(context, request, screen.pathname);
  return redirect(`${way}?next=${encodeURIComponent(`${screen.pathname}${screen.search}`)}`);
}

/** The screen that a form was sent from, by the Referer header. */
function findSendingScreen(request: Request, context: Context): URL | null {
  const referer = request.headers.get("referer") ?? "";
  if (!URL.canParse(referer)) return null;
  const url = new URL(referer);
  return url.origin === context.get(appContext).config.origin ? url : null;
}
