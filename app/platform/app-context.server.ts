import { createContext } from "react-router";
import type { Config } from "./config.server.ts";
import type { Database } from "./database.server.ts";
import type { Unavailable } from "./errors.ts";
import type { Log } from "./log.server.ts";
import type { OwnPath } from "./own-path.ts";

/** The services of every screen and command. */
export type AppContext = { config: Config; db: Database; log: Log };

/** The app context, for loaders and actions: `const { db } = context.get(appContext)`. */
export const appContext = createContext<AppContext>();

/** Facts about the current request. */
export type RequestFacts = {
  /** Shown on error screens and in each log line. */
  id: string;
  clientAddress: string;
  /** For inline scripts under the content security policy. */
  nonce: string;
  /** Toasts for the person. A cookie carries those that no screen shows to the next page. */
  toasts: Toast[];
  /** Toasts in this response. If it turns out to be a redirect, they are carried too. */
  shownToasts: Toast[];
  /** `Set-Cookie` headers for the response of any screen. */
  setCookies: string[];
  /** True while a page is rendered for all signed-in people. */
  isForEveryone?: boolean;
  /** True if the person has seen the contacts of too many jobs today. */
  hidesContact?: boolean;
  /** The wait after too many attempts. */
  retryAfterSeconds?: number;
  /** Set after the database or the store failed, so that this request doesn't use them again. */
  unavailable?: Unavailable;
};

export const requestFacts = createContext<RequestFacts>();

/** A form that does the opposite of what just happened: the address that answers it, and its fields. */
export type UndoForm = { action: OwnPath; fields: Record<string, string> };

/** A short message about what just happened. */
export type Toast = {
  kind: "success" | "error" | "warning" | "info";
  title: string;
  description?: string;
  /** The subject, for a field that shows it too: the purpose of a refused upload. */
  about?: string;
  /** The form of its "Undo" button. */
  undo?: UndoForm;
  /** Set for a carried toast, so that it is shown only once. */
  id?: string;
};
