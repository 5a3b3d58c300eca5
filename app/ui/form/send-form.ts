import { data, type DataStrategyResult, type MiddlewareFunction } from "react-router";
import { Unanswered } from "../answers.ts";
import { showToast } from "../feedback/toasts.tsx";

/** The status of a form that never reached the server, or whose answer never came. */
export const unsent = 599;

type Words = {
  /** Kept for what was typed. */
  request?: Request;
  /** What the toast says failed. */
  title?: string;
  /** What the toast says of it, where that is not that nothing is lost. */
  description?: string;
  /** What the form itself says. */
  message?: string;
};

type Results = Record<string, DataStrategyResult>;

/**
 * The root's `clientMiddleware`: a form of any screen that gets no answer stays as it is, with a word
 * about it; the router by itself would put an error screen in its place. A screen with words of its own
 * has a `clientAction` that calls `sendForm`.
 */
export const keepScreen: MiddlewareFunction<Results> = async ({ request }, next) => {
  const sent = request.method === "GET" ? undefined : request.clone();
  const results = await next();
  for (const [route, { type, result }] of Object.entries(results)) {
    // The router wraps what an action threw.
    const thrown = (result as { data?: unknown } | undefined)?.data;
    if (sent && type === "error" && thrown instanceof Unanswered)
      results[route] = { type: "data", result: await unsentForm({ request: sent }) };
  }
  return results;
};

/**
 * Sends a form, and where no answer comes says so in the screen's own words:
 * `export const clientAction = ({ serverAction }: Route.ClientActionArgs) => sendForm(serverAction, words);`
 */
export async function sendForm<Answer>(serverAction: () => Promise<Answer>, words: Words) {
  const sent = words.request?.clone();
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return unsentForm({ ...words, request: sent });
  }
}

async function unsentForm({
  request,
  title = "The server cannot be reached",
  description = "Nothing that you typed is lost. Please try again in a moment.",
  message,
}: Words) {
  showToast({ kind: "error", title, description });
  const errors: Record<string, string> = message ? { "": message } : {};
  return data({ errors, values: await textsOf(request) }, { status: unsent });
}

async function textsOf(request: Request | undefined): Promise<Record<string, string>> {
  if (!request) return {};
  const fields = [...(await request.formData())];
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}
