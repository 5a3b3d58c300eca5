import { redirect } from "react-router";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { countClientTry, countTry } from "../../platform/rate-limit.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import type { Route } from "./+types/resend.screen.ts";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta/title.ts";
import { ResendForm } from "./resend-form.tsx";
import { resendForm } from "../forms.server.ts";
import { mailByAddress, mailByClient } from "../limits.server.ts";
import { inSameTime } from "../same-time.server.ts";
import { resendConfirmation } from "./sign-up.server.tsx";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Confirm your address");

/** Sends a confirmation link again; the answer is the same whether or not the address is known. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, resendForm, 400);
  if (!form.ok) return form.refusal;

  const { db, config } = context.get(appContext);
  const resent = await attempt(
    context,
    async () => {
      await countClientTry(
        context.get(appContext),
        mailByClient,
        context.get(requestFacts).clientAddress,
      );
      await countTry(context.get(appContext), mailByAddress, form.value.email);
      await inSameTime(() => resendConfirmation(db, config, form.value.email));
    },
    { values: form.values, fallback: "The mail could not be sent. Please try again." },
  );
  if (!resent.ok) return resent.refusal;

  toast(context, {
    kind: "success",
    title: "Confirmation sent",
    description: "If this address waits to be confirmed, a new link is on its way to it.",
  });
  return redirect("/login");
}

/** The page that shows the form to whoever has no script, or comes here by hand. */
export default function Resend({ actionData }: Route.ComponentProps) {
  useFocusFirstError(actionData?.errors);
  return (
    <Page title="Confirm your address" width="narrow" intro="We send you the link again.">
      <ResendForm email={actionData?.values.email} errors={actionData?.errors} />
    </Page>
  );
}
