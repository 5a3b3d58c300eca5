import { sendForm } from "./send-form.ts";

type Sent<Answer> = { request: Request; serverAction(): Promise<Answer> };

/**
 * Sends a form for a screen's `clientAction`. Without an answer, the toast has the same title as for other failures.
 *
 * @param titles the titles of failure toasts by intent. The key "" is for forms without an intent.
 */
export async function sendFormWithTitles<Answer>(
  { request, serverAction }: Sent<Answer>,
  titles: Readonly<Record<string, string>>,
) {
  const intent = (await request.clone().formData()).get("intent");
  const title = titles[typeof intent === "string" ? intent : ""];
  return sendForm(serverAction, { request, title, description: unanswered });
}

const unanswered =
  "We can't reach the server. Your text is still here. Please try again in a moment.";
