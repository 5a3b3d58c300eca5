import { createContext } from "react-router";
import type { Config } from "./config.server.ts";
import type { Database } from "./database.server.ts";
import type { Unavailable } from "./errors.ts";
import type { Log } from "./log.server.ts";

/** The services of every screen and command. */
export type AppContext = { config: Config; db: Database; log: Log };

/** The app context, for loaders and actions: `const { db } = context.get(appContext)`. */
export const appContext = createContext<AppContext>();

/** The request being answered, as the server saw it. */
export type RequestFacts = {
  /** Shown on error screens and in each log line. */
  id: string;
  clientAddress: string;
  /** For inline scripts under the content security policy. */
  nonce: string;
  /** Messages for the person; those that no screen takes travel on in a cookie. */
  toasts: Toast[];
  /** Messages that this answer shows; when it is a redirect after all, they travel on. */
  shownToasts: Toast[];
  /** `Set-Cookie` headers that the answer carries, whatever screen answers. */
  setCookies: string[];
  /** When what was tried too often may be tried again. */
  retryAfterSeconds?: number;
  /** Set once the database or the store failed this request: nothing more is asked of them. */
  unavailable?: Unavailable;
};

export const requestFacts = createContext<RequestFacts>();

/** A short message about what just happened. */
export type Toast = {
  kind: "success" | "error" | "warning" | "info";
  title: string;
  description?: string;
  /** The subject, for a field that shows it too: the purpose of a refused upload. */
  about?: string;
  /** Given to one that travels, so that it is shown once however often it arrives. */
  id?: string;
};
