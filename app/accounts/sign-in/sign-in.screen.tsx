import { data, Form } from "react-router";
import { appContext, requestFacts, type Toast } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import {
  type Failure,
  buildFailureToast,
  createFormAction,
  type FormProblems,
} from "../../platform/forms.server.ts";
import { addNext, parseOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { EmailField, FormAlert, PasswordField, useFocusFirstError } from "../../ui/form/field.tsx";
import { sendForm } from "../../ui/feedback/send-form.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { currentActor } from "../actor.server.ts";
import { signInForm } from "../forms.server.ts";
import { signInPage } from "../pages.ts";
import { buildAuthenticationOptions } from "../passkeys/passkeys.server.ts";
import { PasskeyButton } from "../passkeys/passkey-button.tsx";
import { getHomePath } from "../roles.ts";
import { buildHalfSignInCookie } from "../second-factor/second-step.server.ts";
import { readBrowser, findActor } from "../session.server.ts";
import { ResendButton } from "../sign-up/resend.screen.tsx";
import type { Route } from "./+types/sign-in.screen.ts";
import { setSessionCookies, findKnownDevice } from "../sessions/known-device.server.tsx";
import { countSignInTry, signIn } from "./sign-in.server.ts";
import * as styles from "../../ui/layout/page.module.css";

export const handle: PublicScreen = { page: signInPage, isCached: false };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, signInPage);

export function loader({ request, context }: Route.LoaderArgs) {
  const next = parseOwnPath(new URL(request.url).searchParams.get("next"));
  const actor = context.get(currentActor);
  if (actor) throw redirect(next ?? getHomePath(actor));
  return { next, passkey: buildAuthenticationOptions(context.get(appContext).config) };
}

export const action = createFormAction({
  schema: signInForm,
  invalidStatus: 400,
  async run({ request, context, value }) {
    const { db, config } = context.get(appContext);
    const { clientAddress } = context.get(requestFacts);
    const device = findKnownDevice(config, request.headers.get("cookie"), value.email);
    const uncount = await countSignInTry({ db, config }, value.email, { clientAddress, device });
    const browser = { ...readBrowser(context, request), isKnown: device !== null };
    const signedIn = await signIn({ db, config }, value, browser);
    await uncount();
    const session = "session" in signedIn ? await findActor(db, signedIn.session.token) : null;
    return { signedIn, factorDueAt: session?.actor.factorDueAt ?? null };
  },
  done({ signedIn, factorDueAt }, { request, context, value: { email, next } }) {
    if ("half" in signedIn) {
      const { config } = context.get(appContext);
      context.get(requestFacts).setCookies.push(buildHalfSignInCookie(config, signedIn.half));
      return { data: redirect(addNext("/login/second-step", next)) };
    }
    const { session, roles } = signedIn;
    setSessionCookies(context, request, { session, email });
    const description =
      factorDueAt &&
      `Staff accounts need a second factor. Set one up in your profile by ${formatShortDate(factorDueAt)}.`;
    return {
      toast: {
        kind: description ? "warning" : "success",
        title: "Successfully signed in!",
        ...(description && { description }),
      },
      data: redirect(next ?? getHomePath(roles)),
    };
  },
  failed: buildSignInFailure,
  fallback: "Failed to log in",
});

/**
 * Builds the answer to a failed sign-in. An unconfirmed address gets its own texts and a button to resend the
 * link. Other refusals show the server's message.
 */
function buildSignInFailure({ refusal, message, code }: Failure): {
  toast: Toast;
  data: SignInFailure;
} {
  if (code !== "email-not-confirmed")
    return { toast: buildFailureToast("Failed to sign in", message), data: refusal };
  const description = "Please check your inbox and verify your email before logging in.";
  const errors = { "": "Please verify your email address before logging in." };
  return {
    toast: buildFailureToast("Email not verified", description),
    data: data({ ...refusal.data, errors, isUnconfirmed: true }, refusal.init ?? {}),
  };
}

type SignInFailure = ReturnType<typeof data<FormProblems & { isUnconfirmed?: true }>>;

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(serverAction, { request, title: "Failed to sign in", message: "Failed to log in" });

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { errors = {}, values = {} } = actionData ?? {};
  const isUnconfirmed = actionData !== undefined && "isUnconfirmed" in actionData;
  useFocusFirstError(actionData?.errors);
  return (
    <Page title="Log in" width="narrow" intro="Pick up where you left off.">
      <div className={styles.stack}>
        <FormAlert>
          {errors[""] && (
            <>
              {errors[""]}
              {isUnconfirmed && <ResendButton email={values.email ?? ""} />}
            </>
          )}
        </FormAlert>
        <Form method="post" className={styles.stack} noValidate>
          {loaderData.next && <input type="hidden" name="next" value={loaderData.next} />}
          <EmailField
            defaultValue={values.email}
            error={errors.email}
            autoComplete="username webauthn"
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            error={errors.password}
          />
          <SubmitButton pendingLabel="Logging In...">Log in</SubmitButton>
        </Form>
        <PasskeyButton
          options={loaderData.passkey}
          action="/login/passkey"
          next={loaderData.next}
          autofill
        >
          Use a passkey
        </PasskeyButton>
        <p>
          <Link to="/forgot-password">Forgot password?</Link>
        </p>
        <p>
          New here? <Link to={addNext("/signup", loaderData.next)}>Sign up</Link>
        </p>
      </div>
    </Page>
  );
}
