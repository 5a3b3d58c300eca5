import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import { appContext, type Toast } from "../platform/app-context.server.ts";
import { addNext, getOwnPath } from "../platform/own-path.ts";
import { redirect } from "../platform/redirect.server.ts";
import { addToast } from "../platform/toasts.server.ts";
import { currentActor, isFactorOverdue, getSignedInActor } from "./actor.server.ts";
import { saveInterruptedForm } from "./interrupted-forms.server.ts";
import type { RoleFlags } from "./roles.ts";

type Guard = MiddlewareFunction<Response>;
type Context = Readonly<RouterContextProvider>;

/** Requires a sign-in. A visitor signs in first and then returns. */
export const requireSignIn: Guard = requireSignInWithToast(() => null);

/** The same, with a toast for the visitor. */
export function requireSignInWithToast(
  buildToast: (attempt: { url: URL; method: string }) => Toast | null,
): Guard {
  return async ({ request, url, context }, next) => {
    if (context.get(currentActor)) return next();
    const toast = buildToast({ url, method: request.method });
    if (toast) addToast(context, toast);
    throw await redirectToSignIn({ request, url, context });
  };
}

/** Requires a role. Others are redirected home; god admin screens also show a toast. */
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
 * Redirects a person whose last sign-in is too old to sign in again, and then back. A submitted form is
 * restored. Use it after a guard that requires a sign-in.
 *
 * @param scope `forms` guards only the screen's forms; `screen` also guards the screen itself
 */
export function requireRecentSignIn(scope: "forms" | "screen"): Guard {
  return async ({ request, url, context }, next) => {
    const isGuarded = scope === "screen" || request.method !== "GET";
    if (!isGuarded || getSignedInActor(context).isProved) return next();
    throw await redirectAndReturn("/sign-in-again", { request, url, context });
  };
}

/** Requires the job-board adder role or an active subscription. */
export const requireJobBoardAccess: Guard = async ({ request, url, context }, next) => {
  const actor = context.get(currentActor);
  if (!actor) throw await redirectToSignIn({ request, url, context });
  if (actor.isJobBoardAdder || actor.hasActiveSubscription) return next();
  if (isFactorOverdue(actor)) throw await redirectToFactorSetup({ request, url, context });
  toastNothingChanged({ request, context });
  throw redirect("/");
};

/** Notifies people who lost a role while its screen was open. Scripts get their own answer. */
function toastNothingChanged({ request, context }: { request: Request; context: Context }): void {
  const isForScripts = request.headers.get("accept") === "application/json";
  if (request.method === "GET" || isForScripts) return;
  addToast(context, {
    kind: "error",
    title: "You can no longer do this",
    description: "Your role has changed. Nothing was saved.",
  });
}

/** Redirects to the sign-in screen, and then back. A submitted form is restored. */
function redirectToSignIn(attempt: GuardRequest): Promise<Response> {
  return redirectAndReturn("/login", attempt);
}

/** Redirects staff whose second factor is overdue to its setup, and then back. */
function redirectToFactorSetup(attempt: GuardRequest): Promise<Response> {
  addToast(attempt.context, {
    kind: "warning",
    title: "Please set up a second factor",
    description: "Staff accounts need a second step to continue.",
  });
  return redirectAndReturn("/profile/second-factor", attempt);
}

/** `url` is the screen's, which differs from the request's for the router's data requests. */
type GuardRequest = { request: Request; url: URL; context: Context };

async function redirectAndReturn(
  path: "/login" | "/sign-in-again" | "/profile/second-factor",
  { request, url, context }: GuardRequest,
): Promise<Response> {
  const screen = request.method === "GET" ? url : (findSendingScreen(request, context) ?? url);
  if (request.method !== "GET") await saveInterruptedForm(context, request, screen.pathname);
  return redirect(addNext(path, getOwnPath(screen)));
}

/** Finds the screen that a form was sent from, by the Referer header. */
export function findSendingScreen(request: Request, context: Context): URL | null {
  const referer = request.headers.get("referer") ?? "";
  if (!URL.canParse(referer)) return null;
  const url = new URL(referer);
  return url.origin === context.get(appContext).config.origin ? url : null;
}
