import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { useState } from "react";
import { Form, useFetcher, useSearchParams } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAsToast,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { currentActor, getSignedInActor } from "../actor.server.ts";
import { requireRecentSignIn, requireSignIn } from "../guards.server.ts";
import { formatDevice } from "../sessions/sessions.server.ts";
import type { Route } from "./+types/passkeys.screen.ts";
import { newPasskeyForm, renamedPasskeyForm } from "../forms.server.ts";
import { formatPasskeyProblem } from "./passkey-button.tsx";
import {
  addPasskey,
  listPasskeys,
  type OwnPasskey,
  buildRegistrationOptions,
  removePasskey,
  renamePasskey,
} from "./passkeys.server.ts";
import * as styles from "../own-things.module.css";

const title = "Passkeys";
const address = "/profile/passkeys";

export const middleware = [requireSignIn, requireRecentSignIn("screen")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(appContext);
  const actor = getSignedInActor(context);
  const [passkeys, offer] = await Promise.all([
    listPasskeys(site.db, actor),
    buildRegistrationOptions(site, actor),
  ]);
  return { passkeys, offer, device: formatDevice(request.headers.get("user-agent")) };
}

export const action = createFormActions({
  "add-passkey": createFormIntent({
    schema: newPasskeyForm,
    run: ({ context, value }) =>
      addPasskey(context.get(appContext), context.get(currentActor), value),
    done: () => buildSuccess("Passkey added"),
    failed: ({ refusal }) => ({ data: refusal }),
  }),
  "rename-passkey": createFormIntent({
    schema: renamedPasskeyForm,
    run: ({ context, value }) =>
      renamePasskey(context.get(appContext).db, context.get(currentActor), value),
    done: () => buildSuccess("Passkey renamed"),
    failed: showReasonAsToast,
  }),
  "remove-passkey": createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value: { id } }) =>
      removePasskey(context.get(appContext), context.get(currentActor), id),
    done: () => buildSuccess("Passkey removed"),
    failed: showReasonAsToast,
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Passkeys({ loaderData }: Route.ComponentProps) {
  const { passkeys, offer, device } = loaderData;
  const [params] = useSearchParams();
  const removed = passkeys.find(({ id }) => id === params.get("remove"));
  return (
    <Page
      title={title}
      width="text"
      intro="Sign in with your fingerprint, face or device PIN. No password or code needed."
      back={<BackToProfile />}
    >
      <Card footer={<AddPasskeyForm offer={offer} device={device} />}>
        {passkeys.length === 0 ? (
          <p>No passkeys yet. A passkey on your phone also works on your computer.</p>
        ) : (
          <ul className={styles.ownThings}>
            {passkeys.map((passkey) => (
              <PasskeyItem key={passkey.id} {...passkey} />
            ))}
          </ul>
        )}
      </Card>
      <FormDialog
        open={removed !== undefined}
        title={`Remove ${removed?.name ?? "the passkey"}?`}
        closed={address}
        intent="remove-passkey"
        submitLabel="Remove"
        pendingLabel="Removing..."
        variant="danger"
      >
        <input type="hidden" name="id" value={removed?.id ?? ""} />
        <p>You won't be able to sign in with it. Delete it from your device too.</p>
      </FormDialog>
    </Page>
  );
}

function PasskeyItem({ id, name, addedOn, usedAt }: OwnPasskey) {
  const fetcher = useFetcher<{ errors?: Record<string, string> }>();
  return (
    <li>
      <div>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>
          {`Added ${addedOn}`}
          <br />
          {usedAt ? `Last used ${usedAt}` : "Not used yet"}
        </p>
        <details className={styles.rename}>
          <summary>
            Rename <span className="sr-only">{name}</span>
          </summary>
          <fetcher.Form method="post" preventScrollReset>
            <input type="hidden" name="id" value={id} />
            <Field
              label="Name"
              name="name"
              defaultValue={name}
              maxLength={60}
              required
              error={fetcher.data?.errors?.name}
            />
            <SubmitButton
              intent="rename-passkey"
              variant="secondary"
              size="sm"
              pending={fetcher.state !== "idle"}
              pendingLabel="Saving..."
            >
              Save
            </SubmitButton>
          </fetcher.Form>
        </details>
      </div>
      <ButtonLink to={`?remove=${id}`} variant="secondary" size="sm" preventScrollReset>
        Remove <span className="sr-only">{name}</span>
      </ButtonLink>
    </li>
  );
}

function AddPasskeyForm({
  offer,
  device,
}: {
  offer: Omit<PublicKeyCredentialCreationOptionsJSON, "extensions">;
  device: string;
}) {
  const fetcher = useFetcher<{ ok?: true; errors?: Record<string, string> }>();
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const errors = fetcher.data?.errors ?? {};
  const add = async (form: HTMLFormElement) => {
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    setProblem(null);
    setAsking(true);
    try {
      const { startRegistration } = await import("@simplewebauthn/browser");
      const response = JSON.stringify(await startRegistration({ optionsJSON: offer }));
      await fetcher.submit({ ...fields, intent: "add-passkey", response }, { method: "post" });
    } catch (error) {
      setProblem(formatPasskeyProblem(error));
    }
    setAsking(false);
  };
  return (
    <>
      <noscript>
        <p>Turn on JavaScript in your browser to add a passkey.</p>
      </noscript>
      <Form
        method="post"
        className={`${styles.ownStack} scripts-only`}
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget);
        }}
      >
        <FormAlert>{problem ?? errors[""] ?? errors.response}</FormAlert>
        <Field
          label="Name of the new passkey"
          name="name"
          defaultValue={device.slice(0, 60)}
          maxLength={60}
          required
          error={errors.name}
        />
        <SubmitButton
          intent="add-passkey"
          pending={isAsking || fetcher.state !== "idle"}
          pendingLabel="Adding..."
        >
          Add a passkey
        </SubmitButton>
      </Form>
    </>
  );
}
