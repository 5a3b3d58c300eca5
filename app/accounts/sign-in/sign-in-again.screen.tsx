import { Form } from "react-router";
import { appContext, requestFacts, type Toast } from "../../platform/app-context.server.ts";
import { createFormActions, createFormIntent, type Sent } from "../../platform/forms.server.ts";
import { type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, PasswordField, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { getSignedInActor } from "../actor.server.ts";
import { codeForm, passkeyForm, signInAgainForm } from "../forms.server.ts";
import { requireSignIn } from "../guards.server.ts";
import { CodeField } from "../second-factor/code-field.tsx";
import { buildAuthenticationOptions } from "../passkeys/passkeys.server.ts";
import { PasskeyButton } from "../passkeys/passkey-button.tsx";
import {
  countSignInTry,
  signInAgain,
  signInAgainByCode,
  signInAgainByPasskey,
} from "./sign-in.server.ts";
import { getFactors } from "../second-factor/authenticator.server.ts";
import { readBrowser, type Session, buildSessionCookie } from "../session.server.ts";
import type { Route } from "./+types/sign-in-again.screen.ts";
import { findKnownDevice } from "../sessions/known-device.server.tsx";
import * as pageStyles from "../../ui/layout/page.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

const title = "Sign in again";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { id, email } = getSignedInActor(context);
  const next = parseOwnPath(url.searchParams.get("next"));
  const { db, config } = context.get(appContext);
  const { app, passkey } = await getFactors(db, id);
  return { email, next, hasApp: app, passkey: passkey ? buildAuthenticationOptions(config) : null };
}

export const action = createFormActions({
  "by-password": createFormIntent({
    schema: signInAgainForm,
    async run({ request, context, value: { password } }) {
      const { db, config } = context.get(appContext);
      const actor = getSignedInActor(context);
      const { clientAddress } = context.get(requestFacts);
      const device = findKnownDevice(config, request.headers.get("cookie"), actor.email);
      const uncount = await countSignInTry({ db, config }, actor.email, { clientAddress, device });
      const session = await signInAgain(db, actor, password, readBrowser(context, request));
      await uncount();
      return session;
    },
    done: finishSignInAgain,
    failed: ({ refusal }) => ({ data: refusal }),
  }),
  "by-code": createFormIntent({
    schema: codeForm,
    run: ({ request, context, value: { code } }) =>
      signInAgainByCode(
        context.get(appContext),
        getSignedInActor(context),
        code,
        readBrowser(context, request),
      ),
    done: finishSignInAgain,
    failed: ({ refusal }) => ({ data: refusal }),
  }),
  "by-passkey": createFormIntent({
    schema: passkeyForm,
    run: ({ request, context, value: { response } }) =>
      signInAgainByPasskey(
        context.get(appContext),
        getSignedInActor(context),
        response,
        readBrowser(context, request),
      ),
    done: finishSignInAgain,
    failed: ({ refusal }) => ({ data: refusal }),
  }),
});

function finishSignInAgain(
  session: Session,
  { context, value: { next } }: Sent<{ next: OwnPath | null }>,
) {
  const { config } = context.get(appContext);
  context.get(requestFacts).setCookies.push(buildSessionCookie(config, session));
  const toast: Toast = {
    kind: "success",
    title: "Thank you",
    description: "You can continue now.",
  };
  return { toast, data: redirect(next ?? "/profile") };
}

export default function SignInAgain({ loaderData, actionData }: Route.ComponentProps) {
  const { email, next, hasApp, passkey } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusFirstError(actionData?.errors);
  return (
    <Page
      title={title}
      width="narrow"
      intro="Confirm it's you to continue. Anything you typed is saved."
    >
      <div className={pageStyles.stack}>
        <FormAlert>{errors[""]}</FormAlert>
        <Form method="post" className={pageStyles.stack} noValidate>
          {next && <input type="hidden" name="next" value={next} />}
          {/* Tells password managers whose password to fill in. */}
          <input
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            className={fieldStyles.input}
            aria-label="Email"
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            error={errors.password}
          />
          <SubmitButton intent="by-password" pendingLabel="Checking...">
            Continue
          </SubmitButton>
        </Form>
        {hasApp && (
          <Form method="post" className={pageStyles.stack} noValidate>
            <p>Or use a code from your authenticator app:</p>
            {next && <input type="hidden" name="next" value={next} />}
            <CodeField error={errors.code} />
            <SubmitButton intent="by-code" variant="secondary" pendingLabel="Checking...">
              Continue with the code
            </SubmitButton>
          </Form>
        )}
        {passkey && (
          <PasskeyButton options={passkey} action="/sign-in-again" intent="by-passkey" next={next}>
            Use a passkey
          </PasskeyButton>
        )}
        <p>
          <Link to="/forgot-password">Forgot password?</Link>
        </p>
      </div>
    </Page>
  );
}
