import { Form } from "react-router";
import { appContext } from "../../platform/app-context.server.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { currentActor, getSignedInActor } from "../actor.server.ts";
import { nameForm, newAddressForm } from "../forms.server.ts";
import { requireRecentSignIn, requireSignIn } from "../guards.server.ts";
import { restoreInterruptedForm } from "../interrupted-forms.server.ts";
import type { Route } from "./+types/details.screen.ts";
import { changeOwnName, findAddressRequest, requestAddressChange } from "./details.server.tsx";
import * as ownThingsStyles from "../own-things.module.css";
import * as styles from "../../ui/layout/page.module.css";

const title = "Name and email address";

export const middleware = [requireSignIn, requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const actor = getSignedInActor(context);
  return {
    fullName: actor.fullName ?? "",
    email: actor.email,
    waiting: await findAddressRequest(context.get(appContext).db, actor),
    restored: await restoreInterruptedForm(context, request),
  };
}

export const action = createFormActions({
  "change-name": createFormIntent({
    schema: nameForm,
    run: ({ context, value: { fullName } }) =>
      changeOwnName(context.get(appContext).db, context.get(currentActor), fullName),
    done: () => buildSuccess("Your name is saved"),
    failed: showReasonAboveForm("We couldn't save your name"),
  }),
  "change-address": createFormIntent({
    schema: newAddressForm,
    run({ context, value: { email } }) {
      const { db, config } = context.get(appContext);
      return requestAddressChange(db, context.get(currentActor), config, email);
    },
    done: () => buildSuccess("We sent a link to the new address"),
    failed: showReasonAboveForm("We couldn't send the link"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Details({ loaderData, actionData }: Route.ComponentProps) {
  const { fullName, email, waiting, restored } = loaderData;
  const refusal = actionData && "errors" in actionData ? actionData : null;
  const errors = refusal?.errors ?? {};
  const typed = refusal?.values ?? restored;
  useFocusFirstError(errors);
  return (
    <Page
      title={title}
      width="text"
      intro="Correct what we store about you. We may ask you to log in again first."
      back={<BackToProfile />}
    >
      <div className={ownThingsStyles.ownStack}>
        <FormAlert>{errors[""]}</FormAlert>
        <Card title="Name">
          <Form method="post" className={styles.stack} noValidate>
            <Field
              label="Full name"
              name="fullName"
              autoComplete="name"
              required
              defaultValue={typed.fullName ?? fullName}
              error={errors.fullName}
            />
            <SubmitButton intent="change-name" pendingLabel="Saving...">
              Save name
            </SubmitButton>
          </Form>
        </Card>
        <Card title="Email address" subtitle={`You log in with ${email}.`}>
          {waiting && (
            <p>
              Open the link that we sent to {waiting.email}. It works until {waiting.until}.
            </p>
          )}
          <Form method="post" className={styles.stack} noValidate>
            <Field
              label="New email address"
              name="email"
              type="email"
              autoComplete="email"
              required
              defaultValue={typed.email ?? ""}
              error={errors.email}
              hint="Your address changes once you open the link that we send there. You're then logged out everywhere."
            />
            <SubmitButton intent="change-address" pendingLabel="Sending...">
              Send the link
            </SubmitButton>
          </Form>
        </Card>
      </div>
    </Page>
  );
}
