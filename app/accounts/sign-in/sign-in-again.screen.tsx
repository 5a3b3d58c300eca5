import { Form, Link, redirect } from "react-router";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { formAction } from "../../platform/forms.server.ts";
import { ownPath } from "../../platform/own-path.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, PasswordField, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta/title.ts";
import { signedInActor } from "../actor.server.ts";
import { signInAgainForm } from "../forms.server.ts";
import { signedInGuard } from "../guards.server.ts";
import { askingBrowser, sessionCookie } from "../session.server.ts";
import type { Route } from "./+types/sign-in-again.screen.ts";
import { knownDevice } from "./known-device.server.ts";
import { countSignIn, signInAgain } from "./sign-in.server.tsx";

const title = "Sign in again";

export const middleware = [signedInGuard];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, title);

export function loader({ url, context }: Route.LoaderArgs) {
  const { email } = signedInActor(context);
  return { email, next: ownPath(url.searchParams.get("next")) };
}

export const action = formAction({
  schema: signInAgainForm,
  async run({ request, context, value: { password } }) {
    const { db, config } = context.get(appContext);
    const actor = signedInActor(context);
    const { clientAddress } = context.get(requestFacts);
    const device = knownDevice(config, request.headers.get("cookie"), actor.email);
    await countSignIn({ db, config }, actor.email, { clientAddress, device });
    return signInAgain(db, actor, password, askingBrowser(context, request));
  },
  done(session, { context, value: { next } }) {
    const { config } = context.get(appContext);
    context.get(requestFacts).setCookies.push(sessionCookie(config, session));
    return {
      toast: { kind: "success", title: "Thank you", description: "Now you can go on." },
      data: redirect(next ?? "/profile"),
    };
  },
  failed: ({ refusal }) => ({ data: refusal }),
});

export default function SignInAgain({ loaderData, actionData }: Route.ComponentProps) {
  const { email, next } = loaderData;
  const errors = actionData?.errors ?? {};
  useFocusFirstError(actionData?.errors);
  return (
    <Page
      title={title}
      width="narrow"
      intro="What you are about to do is sensitive, so please show once more that it is you. Nothing that you typed is lost."
    >
      <div className="stack">
        <FormAlert>{errors[""]}</FormAlert>
        <Form method="post" className="stack" noValidate>
          {next && <input type="hidden" name="next" value={next} />}
          {/* For password managers, which look for whom a password is. */}
          <input
            type="email"
            autoComplete="username"
            value={email}
            readOnly
            className="input"
            aria-label="Email"
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            error={errors.password}
          />
          <SubmitButton pendingLabel="Checking...">Go on</SubmitButton>
        </Form>
        <p>
          <Link to="/forgot-password">Forgot password?</Link>
        </p>
      </div>
    </Page>
  );
}
