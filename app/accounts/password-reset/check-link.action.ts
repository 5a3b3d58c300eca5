import { appContext } from "../../platform/app-context.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { createFormAction } from "../../platform/forms.server.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { linkForm } from "../forms.server.ts";
import { linkByClient, isLinkValid } from "../one-time-links.server.ts";
import type { MailedLink } from "../mailed-link.ts";
import { linkMessages } from "../rules.ts";
import type { Route } from "./+types/check-link.action.ts";
import { isOtherUserError } from "../../ui/feedback/send-form.ts";

const messages = linkMessages.recovery;

/** Finds the valid token of a recovery link, without consuming it. */
export const action = createFormAction({
  schema: linkForm,
  async run({ context, value: { token_hash: tokenHash, access_token: accessToken } }) {
    await countAsker(context, linkByClient);
    const { db } = context.get(appContext);
    const links: MailedLink[] = [{ token_hash: tokenHash }, { access_token: accessToken }];
    for (const link of links) {
      const [token = ""] = Object.values(link);
      if (token && (await isLinkValid(db, "recovery", token))) return link;
    }
    throw new Invalid({ "": messages.invalid });
  },
  done: (link) => ({ data: { link, message: "" } }),
  failed: ({ message }) => ({ data: buildLinkProblem(message) }),
  fallback: messages.unexpected,
  invalid: () => ({ data: buildLinkProblem(messages.invalid) }),
});

const buildLinkProblem = (message: string) => ({ link: null, message });

/** Opening this URL redirects to its screen. */
export function loader() {
  return redirect("/reset-password");
}

/** If no answer arrives, the link is still valid. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch((error: unknown) => {
    if (!(error instanceof Error) || isOtherUserError(error)) throw error;
    return buildLinkProblem(messages.unexpected);
  });
