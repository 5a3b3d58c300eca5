import { Form, redirect } from "react-router";
import { appContext, requestFacts, type Toast } from "../../platform/app-context.server.ts";
import {
  type Failure,
  failure,
  formActions,
  formIntent,
  type Sent,
} from "../../platform/forms.server.ts";
import { ownPath } from "../../platform/own-path.ts";
import { toast } from "../../platform/toasts.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { titled } from "../../ui/meta.ts";
import { codeForm, passkeyForm } from "../forms.server.ts";
import { passkeyRequest } from "../passkeys/passkeys.server.ts";
import { PasskeyButton } from "../passkeys/passkey-button.tsx";
import { homeOf } from "../roles.ts";
import { giveSession, knownBrowser } from "../sessions/known-device.server.tsx";
import type { Route } from "./+types/second-step.screen.ts";
import { CodeField } from "./code-field.tsx";
import { findFactors } from "./authenticator.server.ts";
import {
  endedHalfSignInCookie,
  findHalfSignIn,
  finishByCode,
  finishByPasskey,
  halfSignInToken,
} from "./second-step.server.ts";

const title = "One more step";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const next = ownPath(url.searchParams.get("next"));
  const token = halfSignInToken(config, request.headers.get("cookie"));
  const person = await findHalfSignIn(db, token);
  if (!person) throw redirect(signInAddress(next));
  const { app, passkey } = await findFactors(db, person.id);
  return {
    next,
    hasApp: app,
    passkey: passkey ? passkeyRequest(config) : null,
    isByRecoveryCode: url.searchParams.has("recovery-code"),
  };
}

export const action = formActions({
  "by-code": formIntent({
    schema: codeForm,
    run: (sent) => finishByCode(sent.context.get(appContext), ...halfOf(sent, sent.value.code)),
    done: signedIn,
    failed: notSignedIn,
  }),
  "by-passkey": formIntent({
    schema: passkeyForm,
    run: (sent) =>
      finishByPasskey(sent.context.get(appContext), ...halfOf(sent, sent.value.response)),
    done: signedIn,
    failed: notSignedIn,
  }),
});

type Asked = Sent<{ next: string | null }>;

/** Whose second step it is, what proves it, and on which browser. */
function halfOf<Proof>({ request, context }: Asked, proof: Proof) {
  const token = halfSignInToken(context.get(appContext).config, request.headers.get("cookie"));
  const browserFor = (email: string) => knownBrowser(context, request, email);
  return [token ?? "", proof, browserFor] as const;
}

type Finished = Awaited<ReturnType<typeof finishByCode>>;

function signedIn(finished: Finished, { request, context, value }: Asked) {
  giveSession(context, request, finished);
  context.get(requestFacts).setCookies.push(endedHalfSignInCookie(context.get(appContext).config));
  const said: Toast = { kind: "success", title: "Successfully signed in!" };
  return { toast: said, data: redirect(value.next ?? homeOf(finished.roles)) };
}

function notSignedIn({ message, refusal }: Failure, { context, value: { next } }: Asked) {
  if (refusal.init?.status !== 409) return { data: refusal };
  toast(context, failure(message, message));
  throw redirect(signInAddress(next));
}

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { next, hasApp, passkey, isByRecoveryCode } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusFirstError(actionData?.errors);
  const query = next ? `next=${encodeURIComponent(next)}` : "";
  return (
    <Page title={title} width="narrow" intro={`Your password was right. ${toDo(loaderData)}`}>
      <div className="stack">
        <FormAlert>{errors[""]}</FormAlert>
        {hasApp && (
          <>
            <Form method="post" className="stack" noValidate>
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
          <Link to={signInAddress(next)}>Back to login</Link>
        </p>
      </div>
    </Page>
  );
}

function toDo({ hasApp, isByRecoveryCode }: { hasApp: boolean; isByRecoveryCode: boolean }) {
  if (!hasApp) return "Please use your passkey as well.";
  return isByRecoveryCode
    ? "Please enter one of your recovery codes."
    : "Please enter the code that your authenticator app shows.";
}

function signInAddress(next: string | null): string {
  return next ? `/login?next=${encodeURIComponent(next)}` : "/login";
}
