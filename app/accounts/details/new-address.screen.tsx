import { data, Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import { Invalid } from "../../platform/errors.ts";
import {
  createFormAction,
  buildSuccess,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { linkByClient } from "../one-time-links.server.ts";
import type { Route } from "./+types/new-address.screen.ts";
import { confirmAddressChange, findConfirmableAddress } from "./details.server.tsx";
import { addressMessages } from "./rules.ts";
import * as styles from "../../ui/layout/page.module.css";

const title = "Confirm your new address";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

/** Opening the link changes nothing, because email scanners open links too. */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const email = await findConfirmableAddress(context.get(appContext).db, token);
  return data({ email }, { status: email === null ? 404 : 200 });
}

export const action = createFormAction({
  schema: z.object({}),
  async run({ params: { token = "" }, context }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, linkByClient);
    const email = await confirmAddressChange(db, config, token);
    if (email === null) throw new Invalid({ "": addressMessages.invalidLink });
  },
  done: () => ({ ...buildSuccess("Your address is changed"), data: redirect("/login") }),
  failed: showReasonAboveForm("We couldn't change your address"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function NewAddress({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const problem = actionData && "errors" in actionData ? actionData.errors[""] : undefined;
  return (
    <Page
      title={title}
      width="narrow"
      intro={
        email
          ? `From now on, you log in with ${email}. You're logged out everywhere.`
          : addressMessages.invalidLink
      }
    >
      <div className={styles.stack}>
        <FormAlert>{problem}</FormAlert>
        {email ? (
          <Form method="post">
            <SubmitButton pendingLabel="Confirming...">Confirm this address</SubmitButton>
          </Form>
        ) : (
          <ButtonLink to="/profile/details">Ask for a new link</ButtonLink>
        )}
      </div>
    </Page>
  );
}
