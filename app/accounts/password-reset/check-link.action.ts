import { redirect } from "react-router";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { countClientTry } from "../../platform/rate-limit.server.ts";
import type { Route } from "./+types/check-link.action.ts";
import { linkForm } from "../forms.server.ts";
import { linkByClient } from "../limits.server.ts";
import type { MailedLink } from "../mailed-link.ts";
import { linkIsValid } from "../one-time-links.server.ts";
import { linkMessages } from "../rules.ts";

const messages = linkMessages.recovery;

/** Tells which of the tokens in a recovery link would work, without using it up. */
export async function action({ request, context }: Route.ActionArgs): Promise<{
  link: MailedLink | null;
  message: string;
}> {
  const form = await readForm(request, linkForm);
  if (!form.ok) return { link: null, message: messages.invalid };
  const { token_hash: tokenHash, access_token: accessToken } = form.value;
  const { db } = context.get(appContext);
  const checked = await attempt(
    context,
    async (): Promise<MailedLink | null> => {
      await countClientTry(
        context.get(appContext),
        linkByClient,
        context.get(requestFacts).clientAddress,
      );
      if (tokenHash && (await linkIsValid(db, "recovery", tokenHash)))
        return { token_hash: tokenHash };
      if (accessToken && (await linkIsValid(db, "recovery", accessToken)))
        return { access_token: accessToken };
      return null;
    },
    { fallback: messages.unexpected },
  );
  if (!checked.ok) return { link: null, message: checked.message };
  return { link: checked.value, message: checked.value ? "" : messages.invalid };
}

/** Who opens this by its address finds the screen that it belongs to. */
export function loader() {
  return redirect("/reset-password");
}

/** Without an answer the link is as good as before. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    return { link: null, message: messages.unexpected };
  });
