import { useState } from "react";
import { Form } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormAction, showReasonAsToast } from "../../platform/forms.server.ts";
import { addNext, type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
import { countAsker, countTry } from "../../platform/rate-limit.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import {
  CheckboxField,
  EmailField,
  Field,
  FormAlert,
  PasswordField,
  useFocusFirstError,
} from "../../ui/form/field.tsx";
import { sendForm } from "../../ui/feedback/send-form.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { currentActor } from "../actor.server.ts";
import { signUpForm } from "../forms.server.ts";
import { mailByAddress, signUpByClient } from "../one-time-links.server.ts";
import { signUpPage } from "../pages.ts";
import { formatLinkLifetime } from "../rules.ts";
import type { Route } from "./+types/sign-up.screen.ts";
import { SignUpStrength, useTypedPassword } from "./password-strength.tsx";
import { ResendForm } from "./resend.screen.tsx";
import { signUp } from "./sign-up.server.tsx";
import * as styles from "../../ui/layout/page.module.css";

export const handle: PublicScreen = { page: signUpPage, isCached: false };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, signUpPage);

export function loader({ request, context }: Route.LoaderArgs) {
  if (context.get(currentActor)) throw redirect("/");
  return { next: parseOwnPath(new URL(request.url).searchParams.get("next")) };
}

export const action = createFormAction({
  schema: signUpForm,
  invalidStatus: 400,
  async run({ context, value }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, signUpByClient);
    await countTry({ db, config }, mailByAddress, value.email);
    await signUp(db, config, value);
  },
  done: (_signedUp, { value: { email }, values }) => ({
    toast: { kind: "success", title: "Account created successfully!" },
    data: { createdFor: email, errors: {}, values },
  }),
  failed: showReasonAsToast,
  fallback: "Failed to sign up",
});

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(serverAction, { request, title: "Failed to sign up" });

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const [dismissed, setDismissed] = useState<unknown>();
  const created = actionData && "createdFor" in actionData && dismissed !== actionData;
  if (created) {
    return (
      <AccountCreated
        email={actionData.createdFor}
        onTryAgain={() => setDismissed(actionData)}
        next={loaderData.next}
      />
    );
  }
  return (
    <SignUpForm
      next={loaderData.next}
      errors={actionData?.errors ?? {}}
      values={actionData?.values ?? {}}
      isReopened={dismissed !== undefined}
    />
  );
}

function AccountCreated({
  email,
  next,
  onTryAgain,
}: {
  email: string;
  next: OwnPath | null;
  onTryAgain: () => void;
}) {
  return (
    <Page
      title="Account Created"
      width="narrow"
      intro={`A verification email was sent to ${email}.`}
    >
      <div className={styles.stack}>
        <p>
          {`Open the link in it to confirm your address and sign in. The link expires in ${formatLinkLifetime("signup")}.`}
        </p>
        <p>Can't find it? Check your spam folder, or get a new link:</p>
        <ResendForm email={email} />
        <p>
          Wrong address?{" "}
          <Form
            method="get"
            action={"/signup" satisfies OwnPath}
            className={styles.inline}
            onSubmit={(event) => {
              event.preventDefault();
              onTryAgain();
            }}
          >
            {next && <input type="hidden" name="next" value={next} />}
            <Button variant="ghost" type="submit">
              try again
            </Button>
          </Form>
        </p>
        <p>
          Already confirmed? <Link to={addNext("/login", next)}>Log in</Link>
        </p>
      </div>
    </Page>
  );
}

type Problems = { errors: Record<string, string>; values: Record<string, string> };

function SignUpForm({
  next,
  errors,
  values,
  isReopened,
}: Problems & { next: OwnPath | null; isReopened: boolean }) {
  const { password, field } = useTypedPassword();
  useFocusFirstError(errors);
  return (
    <Page
      title="Create your account"
      width="narrow"
      intro="Free to join. See who to contact at every company."
    >
      <Form method="post" className={styles.stack} noValidate>
        <FormAlert>{errors[""]}</FormAlert>
        {next && <input type="hidden" name="next" value={next} />}
        <Field
          label="Full name"
          name="fullName"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that reopened the form was removed, so the focus would be lost
          autoFocus={isReopened}
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={values.fullName}
          error={errors.fullName}
        />
        <EmailField maxLength={254} defaultValue={values.email} error={errors.email} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          required
          hint="Only the length is required. The rest makes it safer."
          error={errors.password}
          {...field}
        />
        <SignUpStrength password={password} />
        <PasswordField
          label="Confirm password"
          name="confirmPassword"
          autoComplete="new-password"
          required
          error={errors.confirmPassword}
        />
        <CheckboxField
          name="terms"
          value="accepted"
          defaultChecked={values.terms === "accepted"}
          error={errors.terms}
          label={
            <>
              I am 18 or older and accept the <Link to="/terms">Terms</Link> and the{" "}
              <Link to="/privacy">Privacy Policy</Link>
            </>
          }
          hint={
            <>
              What we store and why: <Link to="/privacy/notice">privacy notice</Link>
            </>
          }
        />
        <SubmitButton pendingLabel="Creating Account...">Sign up</SubmitButton>
        <p>
          Already have an account? <Link to={addNext("/login", next)}>Log in</Link>
        </p>
      </Form>
    </Page>
  );
}
