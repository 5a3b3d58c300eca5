import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { findSendingScreen } from "../../accounts/guards.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { hour, second } from "../../platform/clock.ts";
import { type Cookie, expireCookie, readCookie, setCookie } from "../../platform/cookies.ts";
import { addNext, getOwnPath, type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { addToast } from "../../platform/toasts.server.ts";

type Context = Readonly<RouterContextProvider>;

/**
 * Remembers the button that a visitor pressed while they sign in. Only a form of our own pages sets it, so that a link
 * to the screen can't save a job by itself.
 */
const pressedButton: Cookie = { name: "pressed-save" };
const lifetime = hour;

const rememberedButtons = ["save", "applied"] as const;
export type RememberedButton = (typeof rememberedButtons)[number];

/** Requires a sign-in. Afterwards the screen of this job opens, which knows the pressed button and the way back. */
export const requireSignInToSave: MiddlewareFunction<Response> = async (
  { request, url, params, context },
  next,
) => {
  if (context.get(currentActor)) return next();
  const isForm = request.method !== "GET";
  const fields = new URLSearchParams(isForm ? await request.clone().text() : "");
  const button = rememberedButtons.find((name) => name === fields.get("intent"));
  const { config } = context.get(appContext);
  if (button) {
    const value = `${button}.${params.jobId}`;
    const cookie = setCookie(pressedButton, value, lifetime / second, config);
    context.get(requestFacts).setCookies.push(cookie);
    addToast(context, { kind: "info", title: "Log in, and we'll add this job to your list" });
  }
  const back = isForm ? findSendingScreen(request, context) : null;
  const query = back ? `?from=${encodeURIComponent(back.pathname + back.search)}` : url.search;
  throw redirect(addNext("/login", getOwnPath({ pathname: url.pathname, search: query })));
};

/** Finds the button of this job that this browser's visitor pressed before the sign-in. */
export function findPressedButton(
  context: Context,
  request: Request,
  jobId: string,
): RememberedButton | null {
  const { config } = context.get(appContext);
  const value = readCookie(pressedButton, request.headers.get("cookie"), config);
  return rememberedButtons.find((name) => value === `${name}.${jobId}`) ?? null;
}

/** Forgets the pressed button once it has done its work. */
export function expirePressedButton(context: Context): void {
  const { config } = context.get(appContext);
  context.get(requestFacts).setCookies.push(expireCookie(pressedButton, config));
}

/** Returns the path of the board or the job that the person came from. Other paths lead to the job. */
export function parseWayBack(from: unknown, jobId: string): OwnPath {
  const path = parseOwnPath(from);
  return path && /^\/jobs(?:[?#]|$)/.test(path) ? path : `/jobs/${jobId}`;
}
