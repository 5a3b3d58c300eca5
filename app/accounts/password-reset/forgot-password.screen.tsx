import { Form, Link } from "react-router";
import { attempt, readForm } from "../../platform/forms.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { countClientTry, countTry } from "../../platform/rate-limit.server.ts";
import { toast } from "../../platform/toasts.server.ts";
import { sendForm } from "../../ui/form/send-form.ts";
import { titled } from "../../ui/meta/title.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import type { Route } from "./+types/forgot-password.screen.ts";
import { addressForm } from "../forms.server.ts";
import { mailByAddress, mailByClient } from "../limits.server.ts";
import { requestPasswordReset } from "./reset-password.server.tsx";
import { inSameTime } from "../same-time.server.ts";
import { linkLasts } from "../rules.ts";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Forgot password");

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, addressForm);
  if (!form.ok) return form.refusal;

  const { db, config } = context.get(appContext);
  const requested = await attempt(
    context,
    async () => {
      await countClientTry(
        context.get(appContext),
        mailByClient,
        context.get(requestFacts).clientAddress,
      );
      await countTry(context.get(appContext), mailByAddress, form.value.email);
      await inSameTime(() => requestPasswordReset(db, config, form.value.email));
    },
    { values: form.values, fallback: "Failed to send reset email" },
  );
  if (!requested.ok) {
    toast(context, { kind: "error", title: requested.message });
    return requested.refusal;
  }
  toast(context, { kind: "success", title: "Password reset email sent. Please check your inbox." });
  return { sentTo: form.value.email, errors: {}, values: {} };
}

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
      intro="Tell us your address, and we send a link to create a new password."
    >
      <Form method="post" className="stack" noValidate>
        <FormAlert>{errors[""]}</FormAlert>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={values.email}
          error={errors.email}
        />
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
      <div className="stack">
        <p>
          {`If the address has an account, a mail is on its way. Its link leads to a page to create a new password; it works once, for ${linkLasts("recovery")}.`}
        </p>
        <p>
          <Link to="/login">Back to login</Link>
        </p>
      </div>
    </Page>
  );
}
