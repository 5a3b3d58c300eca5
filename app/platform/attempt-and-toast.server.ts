import type { RouterContextProvider } from "react-router";
import { attempt } from "./forms.server.ts";
import type { Toast } from "./toast.ts";
import { toast } from "./toasts.server.ts";

/** Runs a command for a form, tells what came of it, and answers the form. */
export async function attemptAndToast<Value>(
  context: Readonly<RouterContextProvider>,
  command: () => Promise<Value>,
  words: {
    done(value: Value): Toast;
    /** The title of a failure; its reason follows. */
    failed: string;
    /** Reasons that say all by themselves. */
    plainly?: readonly string[];
    /** What was typed, to be shown again. */
    values?: Record<string, string>;
  },
) {
  const tried = await attempt(context, command, {
    values: words.values,
    fallback: "Please try again later.",
  });
  if (tried.ok) {
    toast(context, words.done(tried.value));
    return { ok: true as const };
  }
  const { message } = tried;
  toast(
    context,
    words.plainly?.includes(message)
      ? { kind: "error", title: message }
      : { kind: "error", title: words.failed, description: message },
  );
  return tried.refusal;
}
