import { sendForm } from "./send-form.ts";

type Sent<Answer> = { request: Request; serverAction(): Promise<Answer> };

/**
 * For a screen's `clientAction`: a form that gets no answer fails by the title by which it fails otherwise.
 *
 * @param titles what toasts say failed, by intent; that of a form without one is ""
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
  "The server cannot be reached. Nothing that you typed is lost. Please try again in a moment.";
