import { useFetcher } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormAction, type FormProblems } from "../../platform/forms.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { EmailField, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { resendForm } from "../forms.server.ts";
import { queueRequestedMail } from "../one-time-links.server.ts";
import type { Route } from "./+types/resend.screen.ts";
import { sendConfirmationAgain } from "./sign-up.server.tsx";
import * as styles from "../../ui/layout/page.module.css";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Confirm your address");

/** Resends a confirmation link. The answer is the same for known and unknown addresses. */
export const action = createFormAction({
  schema: resendForm,
  invalidStatus: 400,
  run({ context, value: { email } }) {
    const { db, config } = context.get(appContext);
    return queueRequestedMail(context, email, () => sendConfirmationAgain(db, config, email));
  },
  done: () => ({
    toast: {
      kind: "success",
      title: "Confirmation sent",
      description: "If this address still needs to be confirmed, a new link is on its way.",
    },
    data: redirect("/login"),
  }),
  failed: ({ refusal }) => ({ data: refusal }),
  fallback: "We couldn't send the email. Please try again.",
});

/** The form as a page, for direct visits and people without scripts. */
export default function Resend({ actionData }: Route.ComponentProps) {
  useFocusFirstError(actionData?.errors);
  return (
    <Page title="Confirm your address" width="narrow" intro="We'll send you a new link.">
      <ResendForm email={actionData?.values.email} errors={actionData?.errors} />
    </Page>
  );
}

/** Resends a confirmation email in place, or on its own page without scripts. */
export function ResendForm({ email, errors }: { email?: string; errors?: Record<string, string> }) {
  const fetcher = useFetcher<FormProblems>();
  const currentErrors = fetcher.data?.errors ?? errors ?? {};
  useFocusFirstError(fetcher.data?.errors);
  return (
    <fetcher.Form
      method="post"
      action={"/resend-confirmation" satisfies OwnPath}
      className={styles.stack}
      noValidate
    >
      <EmailField defaultValue={email} error={currentErrors.email ?? currentErrors[""]} />
      <SendAgainButton isPending={fetcher.state !== "idle"} />
    </fetcher.Form>
  );
}

/** The same as a single button, for an address that was already entered. */
export function ResendButton({ email }: { email: string }) {
  const fetcher = useFetcher<FormProblems>();
  const { errors = {} } = fetcher.data ?? {};
  return (
    <fetcher.Form
      method="post"
      action={"/resend-confirmation" satisfies OwnPath}
      className={styles.again}
    >
      <input type="hidden" name="email" value={email} />
      {errors[""] && <p>{errors[""]}</p>}
      <SendAgainButton isPending={fetcher.state !== "idle"} />
    </fetcher.Form>
  );
}

function SendAgainButton({ isPending }: { isPending: boolean }) {
  return (
    <SubmitButton variant="secondary" pending={isPending} pendingLabel="Sending...">
      Send the link again
    </SubmitButton>
  );
}
