import { Form, Link, redirect } from "react-router";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { failure, formAction } from "../../platform/forms.server.ts";
import { ownPath } from "../../platform/own-path.ts";
import { toast } from "../../platform/toasts.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta/title.ts";
import { codeForm } from "../forms.server.ts";
import { homeOf } from "../roles.ts";
import { askingBrowser, sessionCookie } from "../session.server.ts";
import { knownDevice, rememberDevice } from "../sign-in/known-device.server.ts";
import type { Route } from "./+types/second-step.screen.ts";
import { CodeField } from "./code-field.tsx";
import {
  endedHalfSignInCookie,
  findHalfSignIn,
  finishByCode,
  halfSignInToken,
} from "./second-step.server.ts";

const title = "One more step";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const next = ownPath(url.searchParams.get("next"));
  const token = halfSignInToken(config, request.headers.get("cookie"));
  if (!(await findHalfSignIn(db, token))) throw redirect(signInAddress(next));
  return { next, isByRecoveryCode: url.searchParams.has("recovery-code") };
}

export const action = formAction({
  schema: codeForm,
  run({ request, context, value: { code } }) {
    const { db, config } = context.get(appContext);
    const cookies = request.headers.get("cookie");
    const token = halfSignInToken(config, cookies) ?? "";
    return finishByCode({ db, config }, token, code, (email) => ({
      ...askingBrowser(context, request),
      isKnown: knownDevice(config, cookies, email) !== null,
    }));
  },
  done({ session, email, roles }, { request, context, value: { next } }) {
    const { config } = context.get(appContext);
    context
      .get(requestFacts)
      .setCookies.push(
        sessionCookie(config, session),
        rememberDevice(config, request.headers.get("cookie"), email),
        endedHalfSignInCookie(config),
      );
    return {
      toast: { kind: "success", title: "Successfully signed in!" },
      data: redirect(next ?? homeOf(roles)),
    };
  },
  failed({ message, refusal }, { context, value: { next } }) {
    if (refusal.init?.status !== 409) return { data: refusal };
    toast(context, failure(message, message));
    throw redirect(signInAddress(next));
  },
});

export default function SecondStep({ loaderData, actionData }: Route.ComponentProps) {
  const { next, isByRecoveryCode } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusFirstError(actionData?.errors);
  const query = next ? `next=${encodeURIComponent(next)}` : "";
  return (
    <Page
      title={title}
      width="narrow"
      intro={
        isByRecoveryCode
          ? "Your password was right. Please enter one of your recovery codes."
          : "Your password was right. Please enter the code that your authenticator app shows."
      }
    >
      <div className="stack">
        <FormAlert>{errors[""]}</FormAlert>
        <Form method="post" className="stack" noValidate>
          {next && <input type="hidden" name="next" value={next} />}
          <CodeField key={`${isByRecoveryCode}`} recovery={isByRecoveryCode} error={errors.code} />
          <SubmitButton pendingLabel="Checking...">Log in</SubmitButton>
        </Form>
        <p>
          {isByRecoveryCode ? (
            <Link to={`?${query}`}>Use the authenticator app</Link>
          ) : (
            <Link to={`?recovery-code&${query}`}>Use a recovery code</Link>
          )}
        </p>
        <p>
          <Link to={signInAddress(next)}>Back to login</Link>
        </p>
      </div>
    </Page>
  );
}

function signInAddress(next: string | null): string {
  return next ? `/login?next=${encodeURIComponent(next)}` : "/login";
}
