import { data, Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import { Invalid } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  type Failure,
  type Sent,
} from "../../platform/forms.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { codeForm, passkeyForm } from "../forms.server.ts";
import { linkByClient } from "../one-time-links.server.ts";
import { PasskeyButton } from "../passkeys/passkey-button.tsx";
import { buildAuthenticationOptions } from "../passkeys/passkeys.server.ts";
import { CodeField } from "../second-factor/code-field.tsx";
import type { Route } from "./+types/earlier-address.screen.ts";
import { findReversal, reverseAddressChange } from "./reverse-address.server.tsx";
import { addressMessages } from "./rules.ts";
import * as styles from "../../ui/layout/page.module.css";

const title = "Take your account back";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const reversal = await findReversal(db, token);
  if (!reversal) return data({ reversal: null }, { status: 404 });
  const { passkey, ...facts } = reversal;
  const address: OwnPath = `/earlier-address/${token}`;
  return data(
    {
      reversal: { ...facts, address, passkey: passkey ? buildAuthenticationOptions(config) : null },
    },
    { status: 200 },
  );
}

export const action = createFormActions({
  "": createReversal(z.object({}), () => null),
  "by-code": createReversal(codeForm, ({ code }) => ({ code })),
  "by-passkey": createReversal(passkeyForm, ({ response }) => ({ response })),
});

function createReversal<Schema extends z.ZodType>(
  schema: Schema,
  toProof: (value: z.output<Schema>) => Parameters<typeof reverseAddressChange>[2],
) {
  return createFormIntent({
    schema,
    async run({ params: { token = "" }, context, value }: Sent<z.output<Schema>>) {
      await countAsker(context, linkByClient);
      const done = await reverseAddressChange(context.get(appContext), token, toProof(value));
      if (!done) throw new Invalid({ "": addressMessages.invalidLink });
      return done;
    },
    done: (done) => ({ data: { done } }),
    failed: ({ refusal }: Failure) => ({ data: refusal }),
  });
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function EarlierAddress({ loaderData, actionData }: Route.ComponentProps) {
  const { reversal } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  if (actionData && "done" in actionData) return <Done done={actionData.done} />;
  if (!reversal) {
    return (
      <Page title={title} width="narrow" intro={addressMessages.invalidLink}>
        <ButtonLink to="/contact">Contact us</ButtonLink>
      </Page>
    );
  }
  if (reversal.isAsked) return <Done done="asked" />;
  const { email, app, passkey, address } = reversal;
  return (
    <Page
      title={title}
      width="narrow"
      intro={`The account gets the address ${email} again. Everyone is logged out, and you choose a new password.`}
    >
      <div className={styles.stack}>
        <FormAlert>{errors?.[""]}</FormAlert>
        {app && (
          <Form method="post" className={styles.stack} noValidate>
            <CodeField error={errors?.code} />
            <SubmitButton intent="by-code" pendingLabel="Checking...">
              Take my account back
            </SubmitButton>
          </Form>
        )}
        {passkey && (
          <PasskeyButton options={passkey} action={address} intent="by-passkey" next={null}>
            Use a passkey
          </PasskeyButton>
        )}
        {!app && !passkey && (
          <Form method="post">
            <SubmitButton pendingLabel="Taking it back...">Take my account back</SubmitButton>
          </Form>
        )}
      </div>
    </Page>
  );
}

function Done({ done }: { done: "reversed" | "asked" }) {
  return done === "reversed" ? (
    <Page title="Your account is yours again" width="narrow">
      <p role="status">
        We sent you a link for a new password. Until you use it, nobody can log in with a password.
      </p>
    </Page>
  ) : (
    <Page title="The account is locked" width="narrow">
      <p role="status">
        It is an account of our team, so an admin has to give it back. We told them. They&apos;ll
        call you first.
      </p>
    </Page>
  );
}
