import { data, type DataStrategyResult, type MiddlewareFunction } from "react-router";
import { reloadPage } from "../expected-user.ts";
import { Unanswered } from "../unanswered.ts";
import { showToast } from "./toasts.tsx";

/** The status of a form that never got an answer. */
export const unsent = 599;

type Words = {
  /** The request, which contains the typed text. */
  request?: Request;
  /** The title of the toast: what failed. */
  title?: string;
  /** The text of the toast. By default it says that the typed text is still there. */
  description?: string;
  /** The message in the form itself. */
  message?: string;
};

type Results = Record<string, DataStrategyResult>;

/**
 * The root's `clientMiddleware`: keeps a form without an answer on its screen with a message, instead of the router's
 * error screen. A screen with its own messages has a `clientAction` that calls `sendForm`.
 */
export const restoreUnsentForm: MiddlewareFunction<Results> = async ({ request }, next) => {
  const copy = request.method === "GET" ? undefined : request.clone();
  const results = await next();
  for (const [route, { type, result }] of Object.entries(results)) {
    // The router wraps the error of an action.
    const thrown = (result as { data?: unknown } | undefined)?.data;
    if (copy && type === "error" && thrown instanceof Unanswered)
      results[route] = { type: "data", result: await reportUnsentForm(thrown, { request: copy }) };
  }
  return results;
};

/**
 * Sends a form, and shows the screen's own message if no answer comes:
 * `export const clientAction = ({ serverAction }: Route.ClientActionArgs) => sendForm(serverAction, words);`
 */
export async function sendForm<Answer>(serverAction: () => Promise<Answer>, words: Words) {
  const copy = words.request?.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return reportUnsentForm(error, { ...words, request: copy });
  }
}

/**
 * Checks whether a form was refused because someone else is signed in. `restoreUnsentForm` shows that message.
 */
export function isOtherUserError(error: unknown): boolean {
  return error instanceof Unanswered && error.words !== undefined;
}

async function reportUnsentForm(
  { words }: Unanswered,
  {
    request,
    title = "We can't reach the server",
    description = "Your text is still here. Please try again in a moment.",
    message,
  }: Words,
) {
  showToast(
    words
      ? { kind: "warning", ...words, action: { label: "Reload", run: reloadPage } }
      : { kind: "error", title, description },
  );
  const errors: Record<string, string> = message ? { "": message } : {};
  return data({ errors, values: await readFormTexts(request) }, { status: unsent });
}

async function readFormTexts(request: Request | undefined): Promise<Record<string, string>> {
  if (!request) return {};
  const fields = [...(await request.formData())];
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}
