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
import { type OwnPath, parseOwnPath } from "../../platform/own-path.ts";
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
import * as styles from "../own-things.module.css";

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

const emptyForm = z.object({});
const getCommandContext = ({ context }: Sent<unknown>) =>
  [context.get(appContext), context.get(currentActor)] as const;

export const action = createFormActions({
  "begin-app": createFormIntent({
    schema: emptyForm,
    run: (form) => startAuthenticatorSetup(...getCommandContext(form)),
    done: () => ({ data: { errors: {} } }),
    failed: showReasonAsToast,
  }),
  "confirm-app": createFormIntent({
    schema: codeForm,
    run: (form) => confirmAuthenticator(...getCommandContext(form), form.value.code),
    done: (recoveryCodes) => ({
      toast: { kind: "success", title: "Your authenticator app is set up" },
      data: { recoveryCodes, errors: {} },
    }),
    failed: ({ refusal }) => ({ data: refusal }),
  }),
  "renew-codes": createFormIntent({
    schema: emptyForm,
    run: (form) => replaceRecoveryCodes(...getCommandContext(form)),
    done: (recoveryCodes) => ({ data: { recoveryCodes, errors: {} } }),
    failed: showReasonAsToast,
  }),
  "remove-app": createFormIntent({
    schema: emptyForm,
    run: (form) => removeAuthenticator(...getCommandContext(form)),
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
      intro="Keeps your account safe even if someone learns your password."
      back={<BackToProfile />}
    >
      <div className={styles.ownStack}>
        <FormAlert>{errors[""]}</FormAlert>
        {due && <p>{`Staff accounts need a second factor. Set yours up by ${due}.`}</p>}
        {codes && <RecoveryCodes codes={codes} next={next} />}
        <Card
          title="Authenticator app"
          subtitle="An authenticator app shows a new code every 30 seconds, even offline."
        >
          {authenticator.state === "none" && <NotSetUp />}
          {authenticator.state === "pending" && (
            <SettingUp {...authenticator} error={errors.code} />
          )}
          {authenticator.state === "on" && <SetUp {...authenticator} />}
        </Card>
      </div>
    </Page>
  );
}

function NotSetUp() {
  return (
    <Form method="post" className={styles.ownStack} preventScrollReset>
      <p>
        You need an app such as Google Authenticator, Aegis or 1Password. When you log in, we'll ask
        for its code after your password.
      </p>
      <SubmitButton intent="begin-app" pendingLabel="Starting...">
        Set up an app
      </SubmitButton>
    </Form>
  );
}

function SettingUp({ qr, keyToType, error }: { qr: string; keyToType: string; error?: string }) {
  return (
    <div className={styles.ownStack}>
      <ol className={styles.factorSteps}>
        <li>
          <p>Scan this code with the app, or enter the key.</p>
          <img
            className={styles.factorQr}
            src={qr}
            alt="QR code of the key below"
            width={208}
            height={208}
          />
          <p>
            Key: <code className={styles.factorKey}>{keyToType}</code>
          </p>
        </li>
        <li>
          <Form method="post" className={styles.ownStack} noValidate preventScrollReset>
            <CodeField error={error} />
            <SubmitButton intent="confirm-app" pendingLabel="Checking...">
              Turn on
            </SubmitButton>
          </Form>
        </li>
      </ol>
      <Form method="post" preventScrollReset>
        <SubmitButton intent="begin-app" variant="ghost" size="sm" pendingLabel="Starting...">
          Start over with a new key
        </SubmitButton>
      </Form>
    </div>
  );
}

function SetUp({ since, recoveryCodesLeft }: { since: string; recoveryCodesLeft: number }) {
  const [params] = useSearchParams();
  const isConfirming = params.has("turn-off");
  return (
    <div className={styles.ownStack}>
      <p>
        <Badge tone="success">On</Badge> {`Since ${since}.`}
      </p>
      <p>
        {recoveryCodesLeft === 1
          ? "1 recovery code left."
          : `${recoveryCodesLeft} recovery codes left.`}{" "}
        Each replaces the app once if you lose it. If you haven't saved them, create new ones.
      </p>
      <Form method="post" className={styles.factorActions} preventScrollReset>
        <SubmitButton intent="renew-codes" variant="secondary" pendingLabel="Creating...">
          New recovery codes
        </SubmitButton>
        <ButtonLink to={`${address}?turn-off`} variant="danger" preventScrollReset>
          Turn off
        </ButtonLink>
      </Form>
      <FormDialog
        open={isConfirming}
        title="Turn off the authenticator app?"
        closed={address}
        intent="remove-app"
        submitLabel="Turn off"
        pendingLabel="Turning off..."
        variant="danger"
      >
        <p>We'll no longer ask for a code when you log in. Your recovery codes stop working too.</p>
      </FormDialog>
    </div>
  );
}

/** Shown only once, because only their hashes are stored. */
function RecoveryCodes({ codes, next }: { codes: string[]; next: OwnPath | null }) {
  return (
    <Card
      title="Your recovery codes"
      subtitle="Print them or write them down now. You won't be able to see them again."
      tone="marked"
    >
      <ul className={styles.factorCodes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        Each replaces the app once. Keep them away from your phone.{" "}
        <Link to={next ?? "/profile"}>I've saved them, continue</Link>
      </p>
    </Card>
  );
}
