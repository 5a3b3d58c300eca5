import { Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import {
  createFormAction,
  showReasonAboveForm,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, SelectField } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { currentActor, getSignedInActor } from "../actor.server.ts";
import { requireSignIn } from "../guards.server.ts";
import type { Route } from "./+types/mail-choices.screen.ts";
import { saveMailChoices, listOwnMailChoices } from "./mail-choices.server.ts";
import { choosableMails, mailChoices } from "../mail-choices.ts";
import * as styles from "../own-things.module.css";

const title = "Email preferences";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export function loader({ context }: Route.LoaderArgs) {
  return listOwnMailChoices(context.get(appContext).db, getSignedInActor(context));
}

export const action = createFormAction({
  schema: z.record(z.string(), z.string()),
  run: ({ context, value }) =>
    saveMailChoices(context.get(appContext).db, context.get(currentActor), value),
  done: () => buildSuccess("Email preferences saved"),
  failed: showReasonAboveForm("We couldn't save your preferences"),
});

export default function MailChoices({ loaderData, actionData }: Route.ComponentProps) {
  const { errors = {}, values = {} } = actionData && "errors" in actionData ? actionData : {};
  return (
    <Page
      title={title}
      width="text"
      intro="Choose which emails you get. We always send emails about payments and account security."
      back={<BackToProfile />}
    >
      <Card>
        <Form method="post" className={styles.ownStack} preventScrollReset>
          <FormAlert>{errors[""]}</FormAlert>
          {loaderData.map(({ kind, choice }) => (
            <SelectField
              key={kind}
              name={kind}
              label={choosableMails[kind].label}
              defaultValue={values[kind] ?? choice}
              options={choosableMails[kind].choices.map((value) => ({
                value,
                label: mailChoices[value],
              }))}
              error={errors[kind]}
            />
          ))}
          <SubmitButton pendingLabel="Saving...">Save</SubmitButton>
        </Form>
      </Card>
    </Page>
  );
}
