import { Form, Link, redirect } from "react-router";
import { attempt, readForm, type Refusal } from "../platform/forms.server.ts";
import { machine, requestFacts } from "../platform/machine.server.ts";
import { ownPath } from "../platform/own-path.ts";
import { countTry } from "../platform/rate-limit.server.ts";
import { toast } from "../platform/toasts.server.ts";
import { sendForm } from "../ui/send-form.ts";
import { published } from "../ui/published.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field, FormAlert, PasswordField } from "../ui/field.tsx";
import { useFocusFirstError } from "../ui/form.tsx";
import { Page } from "../ui/page.tsx";
import type { Route } from "./+types/sign-in.screen.ts";
import { signInPage } from "./pages.ts";
import { currentActor } from "./actor.server.ts";
import { auth } from "./auth.server.ts";
import { signInForm } from "./forms.server.ts";
import { signInByAddress, signInByClient } from "./limits.server.ts";
import { homeOf } from "./roles.ts";
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

  const { db } = context.get(machine);
  const signedIn = await attempt(
    context,
    async () => {
      await countTry(context.get(machine), signInByClient, context.get(requestFacts).clientAddress);
      await countTry(context.get(machine), signInByAddress, form.value.email);
      return signIn(db, context.get(auth), form.value, request.headers);
    },
    { values: form.values, fallback: "Failed to log in" },
  );
  if (!signedIn.ok) return tellWhy(context, signedIn);

  context.get(requestFacts).setCookies.push(...signedIn.value.cookies);
  toast(context, { kind: "success", title: "Successfully signed in!" });
  return redirect(form.value.next ?? homeOf(signedIn.value.roles));
}

/** An unconfirmed address has texts of its own; every other refusal shows the server's message. */
function tellWhy(
  context: Route.ActionArgs["context"],
  { refusal, message }: { refusal: Refusal; message: string },
) {
  if (!message.includes("Email not confirmed")) {
    toast(context, { kind: "error", title: "Failed to sign in", description: message });
    return refusal;
  }
  toast(context, {
    kind: "error",
    title: "Email not verified",
    description: "Please check your inbox and verify your email before logging in.",
  });
  refusal.data.errors[""] = "Please verify your email address before logging in.";
  return refusal;
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  sendForm(serverAction, { request, title: "Failed to sign in", message: "Failed to log in" });

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { errors = {}, values = {} } = actionData ?? {};
  useFocusFirstError(actionData?.errors);
  const query = loaderData.next ? `?next=${encodeURIComponent(loaderData.next)}` : "";
  return (
    <Page title="Log in" width="narrow" intro="Pick up where you left off.">
      <Form method="post" className="stack">
        <FormAlert>{errors[""]}</FormAlert>
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
        <p>
          <Link to="/forgot-password">Forgot password?</Link>
        </p>
        <p>
          New here? <Link to={`/signup${query}`}>Sign up</Link>
        </p>
      </Form>
    </Page>
  );
}
