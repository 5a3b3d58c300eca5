import { useEffect, useRef } from "react";
import { Form, useFetcher } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { runCommand, buildFailureToast, createFormAction } from "../../platform/forms.server.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { useDelayedNavigation } from "../../ui/departure.ts";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, PasswordField, useFocusFirstError } from "../../ui/form/field.tsx";
import { sendForm } from "../../ui/feedback/send-form.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { resetForm } from "../forms.server.ts";
import { linkByClient, isLinkValid } from "../one-time-links.server.ts";
import { clearMailedLink, type MailedLink, useMailedLink } from "../mailed-link.ts";
import { linkMessages } from "../rules.ts";
import { ResetStrength, useTypedPassword } from "../sign-up/password-strength.tsx";
import type { Route } from "./+types/reset-password.screen.ts";
import type { action as checkLink } from "./check-link.action.ts";
import { resetPassword } from "./reset-password.server.tsx";
import * as styles from "../../ui/layout/page.module.css";

const messages = linkMessages.recovery;

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Reset password");

/** Checks the link without consuming it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const token = query.get("type") === "recovery" ? query.get("token_hash") : null;
  if (!token) return { link: null, problem: messages.missing };
  const { db } = context.get(appContext);
  const checked = await runCommand(context, () => isLinkValid(db, "recovery", token), {
    fallback: messages.unexpected,
  });
  if (!checked.ok) return { link: null, problem: checked.message };
  return { link: checked.value ? { token_hash: token } : null, problem: messages.invalid };
}

export const action = createFormAction({
  schema: resetForm,
  async run({ context, value: { password, token_hash: tokenHash, access_token: accessToken } }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, linkByClient);
    const isReset = await resetPassword(db, config, tokenHash || accessToken, password);
    if (!isReset) throw new Invalid({ link: messages.invalid });
  },
  done: () => ({
    toast: { kind: "success", title: "Password has been reset successfully!" },
    data: { done: true, errors: {} },
  }),
  // The specification asks for both the toast and the message above the form, only on this screen.
  failed: ({ message, refusal }) => ({ toast: buildFailureToast(message, message), data: refusal }),
  fallback: "Failed to reset password",
});

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(serverAction, {
    request,
    title: "Failed to reset password",
    message: "Failed to reset password",
  });

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const checked = useCheckedLink(loaderData.link);
  if (actionData && "done" in actionData) return <ResetDone />;
  // The link expired while the form was open, so the form is no longer useful.
  if (actionData?.errors.link) return <ResetLinkRefused message={actionData.errors.link} />;
  if (checked.state === "loading") {
    return (
      <Page title="Create a new password" width="narrow">
        <div className="scripts-only">
          <Spinner label="Setting up..." />
        </div>
        <noscript>
          <FormAlert>{loaderData.problem}</FormAlert>
        </noscript>
      </Page>
    );
  }
  if (checked.state === "refused") return <ResetLinkRefused message={checked.message} />;
  return <NewPasswordForm link={checked.link} errors={actionData?.errors ?? {}} />;
}

type Checked =
  | { state: "loading" }
  | { state: "valid"; link: MailedLink }
  | { state: "refused"; message: string };

/** Returns the valid link: the one that the server checked, or one in the fragment or saved earlier. */
function useCheckedLink(fromServer: MailedLink | null): Checked {
  const link = useMailedLink("recovery");
  const fetcher = useFetcher<typeof checkLink>();
  const isRequested = useRef(false);
  const hasToken = Boolean(link?.token_hash ?? link?.access_token);
  useEffect(() => {
    if (fromServer || !link || !hasToken || isRequested.current) return;
    isRequested.current = true;
    void fetcher.submit({ ...link }, { method: "post", action: "/reset-password/check" });
  });

  if (fromServer) return { state: "valid", link: fromServer };
  if (link && !hasToken) return { state: "refused", message: messages.missing };
  const answer = fetcher.data;
  if (!answer) return { state: "loading" };
  return answer.link
    ? { state: "valid", link: answer.link }
    : { state: "refused", message: answer.message };
}

function NewPasswordForm({ link, errors }: { link: MailedLink; errors: Record<string, string> }) {
  const { password, field } = useTypedPassword();
  useFocusFirstError(errors);
  return (
    <Page title="Create a new password" width="narrow">
      <Form method="post" className={styles.stack} noValidate>
        <FormAlert>{errors[""]}</FormAlert>
        {Object.entries(link).map(([name, token]) => (
          <input key={name} type="hidden" name={name} value={token} />
        ))}
        <PasswordField
          label="New Password"
          name="password"
          autoComplete="new-password"
          required
          error={errors.password}
          {...field}
        />
        <ResetStrength password={password} />
        <PasswordField
          label="Confirm Password"
          name="confirmPassword"
          autoComplete="new-password"
          required
          error={errors.confirmPassword}
        />
        <SubmitButton pendingLabel="Saving...">Reset Password</SubmitButton>
      </Form>
    </Page>
  );
}

function ResetDone() {
  useEffect(() => clearMailedLink("recovery"), []);
  useDelayedNavigation("/login", 3000);
  return (
    <Page title="Password reset successfully!" width="narrow">
      <p role="status">You will be redirected to login shortly...</p>
      <p>
        <Link to="/login">Log in now</Link>
      </p>
    </Page>
  );
}

function ResetLinkRefused({ message }: { message: string }) {
  return (
    <Page title="That link didn't work" width="narrow">
      <div className={styles.stack}>
        <FormAlert>{message}</FormAlert>
        <ButtonLink to="/forgot-password">Request a new link</ButtonLink>
        <p>
          Already changed your password? <Link to="/login">Log in</Link>
        </p>
      </div>
    </Page>
  );
}
