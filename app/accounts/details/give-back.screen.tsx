import { Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  buildSuccess,
  createFormAction,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { getSignedInActor } from "../actor.server.ts";
import { requireRecentSignIn } from "../guards.server.ts";
import type { Route } from "./+types/give-back.screen.ts";
import { approveReversal, findAskedReversal } from "./reverse-address.server.tsx";
import * as styles from "../../ui/layout/page.module.css";

const title = "Give an account back";

export const middleware = [requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ params: { userId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const reversal = await findAskedReversal(db, getSignedInActor(context), userId);
  if (!reversal) throw new NotFound("No earlier address asks for this account.");
  return { userId, email: reversal.email };
}

export const action = createFormAction({
  schema: z.object({}),
  run: ({ params: { userId = "" }, context }) =>
    approveReversal(context.get(appContext), getSignedInActor(context), userId),
  done: (_, { params: { userId = "" } }) => ({
    ...buildSuccess("The account has its earlier address again"),
    data: redirect(`/admin/users/${userId}`),
  }),
  failed: showReasonAboveForm("We couldn't give the account back"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function GiveBack({ loaderData, actionData }: Route.ComponentProps) {
  const { userId, email } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  return (
    <Page
      back={<BackLink to={`/admin/users/${userId}`}>Back to the user</BackLink>}
      title={title}
      width="narrow"
      intro={`Someone with access to ${email} says that its owner didn't change the address. Call the person first.`}
    >
      <div className={styles.stack}>
        <FormAlert>{errors?.[""]}</FormAlert>
        <Form method="post">
          <SubmitButton variant="danger" pendingLabel="Giving it back...">
            Give it back to {email}
          </SubmitButton>
        </Form>
      </div>
    </Page>
  );
}
