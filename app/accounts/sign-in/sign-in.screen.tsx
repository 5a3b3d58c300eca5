import { data, Form, Link, redirect } from "react-router";
import { attempt, readForm, type Refusal } from "../../platform/forms.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { ownPath } from "./own-path.ts";
import { toast } from "../../platform/toasts.server.ts";
import { sendForm } from "../../ui/form/send-form.ts";
import { published } from "../../ui/meta/published.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, PasswordField, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import type { Route } from "./+types/sign-in.screen.ts";
import { signInPage } from "../pages.ts";
import { currentActor } from "../actor.server.ts";
import { signInForm } from "../forms.server.ts";
import { knownDevice, rememberDevice } from "./known-device.server.ts";
import { countSignIn } from "../limits.server.ts";
import { ResendButton } from "../sign-up/resend-form.tsx";
import { homeOf } from "../roles.ts";
import { emailNotConfirmed } from "../rules.ts";
import { askingBrowser, sessionCookie } from "../session.server.ts";
import { signIn } from "./sign-in.server.ts";

export const meta: Route.MetaFunction = ({ matches }) => published(matches, signInPage);

export function loader({ request, context }: Route.LoaderArgs) {
  const next = ownPath(new URL(request.url).searchParams.get("next"));
  const actor = context.get(currentActor);
  if (actor) throw redirect(next ?? homeOf(actor));
  return { next };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, signInForm, 400);
  if (!form.ok) return form.refusal;

  const { db, config } = context.get(appContext);
  const { setCookies, clientAddress } = context.get(requestFacts);
  const { email, next } = form.value;
  const cookies = request.headers.get("cookie");
  const signedIn = await attempt(
    context,
    async () => {
      const device = knownDevice(config, cookies, email);
      await countSignIn({ db, config }, email, { clientAddress, device });
      return signIn(db, form.value, askingBrowser(context, request));
    },
    { values: form.values, fallback: "Failed to log in" },
  );
  if (!signedIn.ok) return tellWhy(context, signedIn);

  const { session, roles } = signedIn.value;
  setCookies.push(sessionCookie(config, session), rememberDevice(config, cookies, email));
  toast(context, { kind: "success", title: "Successfully signed in!" });
  return redirect(next ?? homeOf(roles));
}

/**
 * An unconfirmed address has texts of its own, and whoever knows its password may have the link sent
 * again; every other refusal shows the server's message.
 */
function tellWhy(
  context: Route.ActionArgs["context"],
  { refusal, message }: { refusal: Refusal; message: string },
) {
  if (message !== emailNotConfirmed) {
    toast(context, { kind: "error", title: "Failed to sign in", description: message });
    return refusal;
  }
  toast(context, {
    kind: "error",
    title: "Email not verified",
    description: "Please check your inbox and verify your email before logging in.",
  });
  const errors: Record<string, string> = {
    "": "Please verify your email address before logging in.",
  };
  return data({ ...refusal.data, errors, isUnconfirmed: true }, refusal.init ?? {});
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(serverAction, { request, title: "Failed to sign in", message: "Failed to log in" });

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { errors = {}, values = {} } = actionData ?? {};
  const isUnconfirmed = actionData !== undefined && "isUnconfirmed" in actionData;
  useFocusFirstError(actionData?.errors);
  const query = loaderData.next ? `?next=${encodeURIComponent(loaderData.next)}` : "";
  return (
    <Page title="Log in" width="narrow" intro="Pick up where you left off.">
      <div className="stack">
        <FormAlert>
          {errors[""] && (
            <>
              {errors[""]}
              {isUnconfirmed && <ResendButton email={values.email ?? ""} />}
            </>
          )}
        </FormAlert>
        <Form method="post" className="stack" noValidate>
          {loaderData.next && <input type="hidden" name="next" value={loaderData.next} />}
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="username"
            required
            defaultValue={values.email}
            error={errors.email}
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
        <p>
          <Link to="/forgot-password">Forgot password?</Link>
        </p>
        <p>
          New here? <Link to={`/signup${query}`}>Sign up</Link>
        </p>
      </div>
    </Page>
  );
}
