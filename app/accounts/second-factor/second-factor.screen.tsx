import { Form, useSearchParams } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAsToast,
  type Sent,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { parseOwnPath } from "../../platform/own-path.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { currentActor, getSignedInActor } from "../actor.server.ts";
import { codeForm } from "../forms.server.ts";
import { requireRecentSignIn, requireSignIn } from "../guards.server.ts";
import type { Route } from "./+types/second-factor.screen.ts";
import {
  startAuthenticatorSetup,
  confirmAuthenticator,
  getAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from "./authenticator.server.ts";
import { CodeField } from "./code-field.tsx";

const title = "Second factor";
const address = "/profile/second-factor";

export const middleware = [requireSignIn, requireRecentSignIn("screen")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const actor = getSignedInActor(context);
  const authenticator = await getAuthenticator(context.get(appContext), actor);
  const next = parseOwnPath(url.searchParams.get("next"));
  return { authenticator, next, due: actor.factorDueAt && formatShortDate(actor.factorDueAt) };
}

const nothing = z.object({});
const getCommandContext = ({ context }: Sent<unknown>) =>
  [context.get(appContext), context.get(currentActor)] as const;

export const action = createFormActions({
  "begin-app": createFormIntent({
    schema: nothing,
    run: (sent) => startAuthenticatorSetup(...getCommandContext(sent)),
    done: () => ({ data: { errors: {} } }),
    failed: showReasonAsToast,
  }),
  "confirm-app": createFormIntent({
    schema: codeForm,
    run: (sent) => confirmAuthenticator(...getCommandContext(sent), sent.value.code),
    done: (recoveryCodes) => ({
      toast: { kind: "success", title: "Your authenticator app is set up" },
      data: { recoveryCodes, errors: {} },
    }),
    failed: ({ refusal }) => ({ data: refusal }),
  }),
  "renew-codes": createFormIntent({
    schema: nothing,
    run: (sent) => replaceRecoveryCodes(...getCommandContext(sent)),
    done: (recoveryCodes) => ({ data: { recoveryCodes, errors: {} } }),
    failed: showReasonAsToast,
  }),
  "remove-app": createFormIntent({
    schema: nothing,
    run: (sent) => removeAuthenticator(...getCommandContext(sent)),
    done: () => buildSuccess("Your authenticator app is turned off"),
    failed: showReasonAsToast,
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { authenticator, next, due } = loaderData;
  const errors: Record<string, string> =
    actionData && "errors" in actionData ? actionData.errors : {};
  const codes = actionData && "recoveryCodes" in actionData ? actionData.recoveryCodes : undefined;
  useFocusFirstError(actionData && "errors" in actionData ? actionData.errors : undefined);
  return (
    <Page
      title={title}
      width="text"
      intro="Whoever learns your password still cannot sign in without it."
      actions={<BackToProfile />}
    >
      <div className="own-stack">
        <FormAlert>{errors[""]}</FormAlert>
        {due && <p>{`Staff need a second factor. Yours is due by ${due}.`}</p>}
        {codes && <RecoveryCodes codes={codes} next={next} />}
        <Card
          title="Authenticator app"
          subtitle="An app on your phone makes a code every half minute, also without a network."
        >
          {authenticator.state === "none" && <NotSetUp />}
          {authenticator.state === "begun" && <SettingUp {...authenticator} error={errors.code} />}
          {authenticator.state === "on" && <SetUp {...authenticator} />}
        </Card>
      </div>
    </Page>
  );
}

function NotSetUp() {
  return (
    <Form method="post" className="own-stack" preventScrollReset>
      <p>
        You need an app such as Google Authenticator, Aegis or 1Password. Signing in then asks for
        its code after your password.
      </p>
      <SubmitButton intent="begin-app" pendingLabel="Beginning...">
        Set up an app
      </SubmitButton>
    </Form>
  );
}

function SettingUp({ qr, keyToType, error }: { qr: string; keyToType: string; error?: string }) {
  return (
    <div className="own-stack">
      <ol className="factor-steps">
        <li>
          <p>Scan this with the app, or type the key into it.</p>
          <img
            className="factor-qr"
            src={qr}
            alt="QR code with the key beside it"
            width={208}
            height={208}
          />
          <p>
            Key: <code className="factor-key">{keyToType}</code>
          </p>
        </li>
        <li>
          <Form method="post" className="own-stack" noValidate preventScrollReset>
            <CodeField error={error} />
            <SubmitButton intent="confirm-app" pendingLabel="Checking...">
              Turn on
            </SubmitButton>
          </Form>
        </li>
      </ol>
      <Form method="post" preventScrollReset>
        <SubmitButton intent="begin-app" variant="ghost" size="sm" pendingLabel="Beginning...">
          Begin again with a new key
        </SubmitButton>
      </Form>
    </div>
  );
}

function SetUp({ since, recoveryCodesLeft }: { since: string; recoveryCodesLeft: number }) {
  const [params] = useSearchParams();
  const isAsked = params.has("turn-off");
  return (
    <div className="own-stack">
      <p>
        <Badge tone="success">On</Badge> {`Since ${since}.`}
      </p>
      <p>
        {recoveryCodesLeft === 1
          ? "One recovery code is left."
          : `${recoveryCodesLeft} recovery codes are left.`}{" "}
        Each stands in for the app once, should you lose it. If you have not kept them, make new
        ones.
      </p>
      <Form method="post" className="factor-actions" preventScrollReset>
        <SubmitButton intent="renew-codes" variant="secondary" pendingLabel="Making...">
          New recovery codes
        </SubmitButton>
        <ButtonLink to={`${address}?turn-off`} variant="danger" preventScrollReset>
          Turn off
        </ButtonLink>
      </Form>
      <FormDialog
        open={isAsked}
        title="Turn the authenticator app off?"
        closed={address}
        intent="remove-app"
        submitLabel="Turn off"
        pendingLabel="Turning off..."
        variant="danger"
      >
        <p>Your password alone then signs you in. The recovery codes go with the app.</p>
      </FormDialog>
    </div>
  );
}

/** Shown once: only their hashes are kept. */
function RecoveryCodes({ codes, next }: { codes: string[]; next: string | null }) {
  return (
    <Card
      title="Your recovery codes"
      subtitle="Print them or write them down now: they are not shown again."
      tone="marked"
    >
      <ul className="factor-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        Each stands in for the app once. Keep them away from your phone.{" "}
        <Link to={next ?? "/profile"}>I have kept them, go on</Link>
      </p>
    </Card>
  );
}
