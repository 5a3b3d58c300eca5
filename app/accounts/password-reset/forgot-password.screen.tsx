import { Form } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormAction, showReasonAsToast } from "../../platform/forms.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { EmailField, useFocusFirstError } from "../../ui/form/field.tsx";
import { sendForm } from "../../ui/feedback/send-form.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { addressForm } from "../forms.server.ts";
import { queueRequestedMail } from "../one-time-links.server.ts";
import type { Route } from "./+types/forgot-password.screen.ts";
import { requestPasswordReset } from "./reset-password.server.tsx";
import { formatLinkLifetime } from "../rules.ts";
import * as styles from "../../ui/layout/page.module.css";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Forgot password");

export const action = createFormAction({
  schema: addressForm,
  run({ context, value: { email } }) {
    const { db, config } = context.get(appContext);
    return queueRequestedMail(context, email, () => requestPasswordReset(db, config, email));
  },
  done: (_mailed, { value: { email } }) => ({
    toast: { kind: "success", title: "Password reset email sent. Please check your inbox." },
    data: { sentTo: email, errors: {}, values: {} },
  }),
  failed: showReasonAsToast,
  fallback: "Failed to send reset email",
});

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(serverAction, { request, title: "Failed to send reset email" });

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const {
    errors = {},
    values = {},
  }: { errors?: Record<string, string>; values?: Record<string, string> } = actionData ?? {};
  useFocusFirstError(actionData?.errors);
  if (actionData && "sentTo" in actionData) return <EmailSent address={actionData.sentTo} />;
  return (
    <Page
      title="Forgot password?"
      width="narrow"
      intro="Enter your email address and we'll send you a link to create a new password."
    >
      <Form method="post" className={styles.stack} noValidate>
        <EmailField defaultValue={values.email} error={errors.email} />
        <SubmitButton pendingLabel="Sending...">Send reset link</SubmitButton>
        <p>
          <Link to="/login">Back to login</Link>
        </p>
      </Form>
    </Page>
  );
}

function EmailSent({ address }: { address: string }) {
  return (
    <Page title="Email sent!" width="narrow" intro={`Check the inbox of ${address}.`}>
      <div className={styles.stack}>
        <p>
          {`If the address has an account, an email is on its way. Its link leads to a page to create a new password. It works once and expires in ${formatLinkLifetime("recovery")}.`}
        </p>
        <p>
          <Link to="/login">Back to login</Link>
        </p>
      </div>
    </Page>
  );
}
