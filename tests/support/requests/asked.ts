import { RouterContextProvider } from "react-router";
import { type Actor, currentActor } from "../../../app/accounts/actor.server.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { appContext, requestFacts, type Toast } from "../../../app/platform/app-context.server.ts";
import { testConfig } from "../product/config.ts";

/**
 * Builds the arguments of a screen's loader or action for a person.
 *
 * @returns the arguments, and the toasts that the loader or action adds
 */
export function askedBy(
  db: Database,
  actor: Actor | null,
  { clientAddress = "127.0.0.1" }: { clientAddress?: string } = {},
): { context: RouterContextProvider; toasts: Toast[] } {
  const toasts: Toast[] = [];
  const context = new RouterContextProvider();
  context.set(appContext, { config: testConfig(), db, log: createLog("silent") });
  context.set(currentActor, actor);
  context.set(requestFacts, {
    id: "test",
    clientAddress,
    nonce: "",
    toasts,
    shownToasts: [],
    setCookies: [],
  });
  return { context, toasts };
}

type SentForm = {
  /** The address of the screen. */
  path?: string;
  params?: Record<string, string>;
  clientAddress?: string;
};

/** Builds the arguments of a screen's action for a person who sends a form. */
export function sentBy(
  db: Database,
  actor: Actor | null,
  fields: Record<string, string>,
  { path = "/", params = {}, ...facts }: SentForm = {},
) {
  const url = new URL(path, "http://localhost");
  const request = new Request(url, { method: "POST", body: new URLSearchParams(fields) });
  return { request, url, params: params as never, ...askedBy(db, actor, facts) };
}
