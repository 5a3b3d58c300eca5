import { data } from "react-router";
import { showToast } from "./toasts.tsx";

/** The status of a form that never reached the server. */
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

/**
 * Sends a form, and where no answer comes leaves it on the screen as it is, with a word about it; the
 * router by itself would put an error screen in its place:
 * `export const clientAction = ({ serverAction }: Route.ClientActionArgs) => sendForm(serverAction);`
 */
export async function sendForm<Answer>(serverAction: () => Promise<Answer>, words: Words = {}) {
  const {
    title = "The server cannot be reached",
    description = "Nothing that you typed is lost. Please try again in a moment.",
    message,
  } = words;
  const typed = words.request?.clone();
  try {
    return await serverAction();
  } catch (error) {
    // Redirects and the server's own error answers are no errors of this kind.
    if (!(error instanceof Error)) throw error;
    showToast({ kind: "error", title, description });
    const errors: Record<string, string> = message ? { "": message } : {};
    return data({ errors, values: await textsOf(typed) }, { status: unsent });
  }
}

async function textsOf(request: Request | undefined): Promise<Record<string, string>> {
  if (!request) return {};
  const fields = [...(await request.formData())];
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}
