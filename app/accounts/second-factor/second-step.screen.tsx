import { Form } from "react-router";
import { appContext, requestFacts, type Toast } from "../../platform/app-context.server.ts";
import {
  type Failure,
  buildFailureToast,
  createFormActions,
  createFormIntent,
  type Sent,
} from "../../platform/forms.server.ts";
import { addNext, type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { addToast } from "../../platform/toasts.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { codeForm, passkeyForm } from "../forms.server.ts";
import { buildAuthenticationOptions } from "../passkeys/passkeys.server.ts";
import { PasskeyButton } from "../passkeys/passkey-button.tsx";
import { getHomePath } from "../roles.ts";
import { setSessionCookies, readKnownBrowser } from "../sessions/known-device.server.tsx";
import type { Route } from "./+types/second-step.screen.ts";
import { CodeField } from "./code-field.tsx";
import { getFactors } from "./authenticator.server.ts";
import {
  buildExpiredHalfSignInCookie,
  findHalfSignIn,
  finishByCode,
  finishByPasskey,
  readHalfSignInToken,
} from "./second-step.server.ts";
import * as styles from "../../ui/layout/page.module.css";

const title = "One more step";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const next = parseOwnPath(url.searchParams.get("next"));
  const token = readHalfSignInToken(config, request.headers.get("cookie"));
  const person = await findHalfSignIn(db, token);
  if (!person) throw redirect(addNext("/login", next));
  const { app, passkey } = await getFactors(db, person.id);
  return {
    next,
    hasApp: app,
    passkey: passkey ? buildAuthenticationOptions(config) : null,
    isByRecoveryCode: url.searchParams.has("recovery-code"),
  };
}

export const action = createFormActions({
  "by-code": createFormIntent({
    schema: codeForm,
    run: (form) =>
      finishByCode(form.context.get(appContext), ...getSecondStepArguments(form, form.value.code)),
    done: finishSignIn,
    failed: respondToFailure,
  }),
  "by-passkey": createFormIntent({
    schema: passkeyForm,
    run: (form) =>
      finishByPasskey(
        form.context.get(appContext),
        ...getSecondStepArguments(form, form.value.response),
      ),
    done: finishSignIn,
    failed: respondToFailure,
  }),
});

type SecondStepForm = Sent<{ next: OwnPath | null }>;

/** Returns the arguments that finish the second step: token, proof and browser. */
function getSecondStepArguments<Proof>({ request, context }: SecondStepForm, proof: Proof) {
  const token = readHalfSignInToken(context.get(appContext).config, request.headers.get("cookie"));
  const browserFor = (email: string) => readKnownBrowser(context, request, email);
  return [token ?? "", proof, browserFor] as const;
}

type Finished = Awaited<ReturnType<typeof finishByCode>>;

function finishSignIn(finished: Finished, { request, context, value }: SecondStepForm) {
  setSessionCookies(context, request, finished);
  context
    .get(requestFacts)
    .setCookies.push(buildExpiredHalfSignInCookie(context.get(appContext).config));
  const toast: Toast = { kind: "success", title: "Successfully signed in!" };
  return { toast, data: redirect(value.next ?? getHomePath(finished.roles)) };
}

function respondToFailure(
  { message, refusal }: Failure,
  { context, value: { next } }: SecondStepForm,
) {
  if (refusal.init?.status !== 409) return { data: refusal };
  addToast(context, buildFailureToast(message, message));
  throw redirect(addNext("/login", next));
}

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { next, hasApp, passkey, isByRecoveryCode } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusFirstError(actionData?.errors);
  const query = next ? `next=${encodeURIComponent(next)}` : "";
  return (
    <Page
      title={title}
      width="narrow"
      intro={`Your password is correct. ${describeSecondStep(loaderData)}`}
    >
      <div className={styles.stack}>
        <FormAlert>{errors[""]}</FormAlert>
        {hasApp && (
          <>
            <Form method="post" className={styles.stack} noValidate>
              {next && <input type="hidden" name="next" value={next} />}
              <CodeField
                key={`${isByRecoveryCode}`}
                recovery={isByRecoveryCode}
                error={errors.code}
              />
              <SubmitButton intent="by-code" pendingLabel="Checking...">
                Log in
              </SubmitButton>
            </Form>
            <p>
              {isByRecoveryCode ? (
                <Link to={`?${query}`}>Use the authenticator app</Link>
              ) : (
                <Link to={`?recovery-code&${query}`}>Use a recovery code</Link>
              )}
            </p>
          </>
        )}
        {passkey && (
          <PasskeyButton
            options={passkey}
            action="/login/second-step"
            intent="by-passkey"
            next={next}
          >
            Use a passkey
          </PasskeyButton>
        )}
        <p>
          <Link to={addNext("/login", next)}>Back to login</Link>
        </p>
      </div>
    </Page>
  );
}

function describeSecondStep({
  hasApp,
  isByRecoveryCode,
}: {
  hasApp: boolean;
  isByRecoveryCode: boolean;
}) {
  if (!hasApp) return "Now use your passkey.";
  return isByRecoveryCode
    ? "Now enter one of your recovery codes."
    : "Now enter the code from your authenticator app.";
}
