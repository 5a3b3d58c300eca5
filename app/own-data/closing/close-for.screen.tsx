import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireRecentSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { createFormAction, showReasonAboveForm } from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { maxReasonLength } from "../../ui/form/decision-rules.ts";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import { Field, FormAlert, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/close-for.screen.ts";
import { closeAccountFor, getPersonToClose } from "./close-account.server.tsx";
import { listObstacles } from "./end-account.server.ts";
import * as styles from "../../ui/layout/page.module.css";
import * as listStyles from "./closing.module.css";

const title = "Close an account";

export const middleware = [requireRecentSignIn("screen")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ params: { userId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id, email } = await getPersonToClose(db, getSignedInActor(context), userId);
  return { id, email, obstacles: await listObstacles(db, id) };
}

export const action = createFormAction({
  schema: z.object({
    ticket: z.string().trim().min(1, "Enter the ticket number of their message"),
    reason: decisionReason,
  }),
  run({ context, params: { userId = "" }, value }) {
    const { db, config } = context.get(appContext);
    return closeAccountFor(db, context.get(currentActor), { userId, ...value }, config);
  },
  done: (purgeAt) => ({
    toast: {
      kind: "success",
      title: "Account closed",
      description: `We'll email them. Their data is deleted on ${formatShortDate(purgeAt)}.`,
    },
    data: redirect("/admin/users"),
  }),
  failed: showReasonAboveForm("We couldn't close the account"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function CloseAccountFor({ loaderData, actionData }: Route.ComponentProps) {
  const { id, email, obstacles } = loaderData;
  const { errors = {}, values = {} } = actionData ?? {};
  useFocusFirstError(actionData?.errors);
  return (
    <Page
      title={title}
      width="narrow"
      intro={`For ${email}, who asked for it in a message. They can come back within two weeks.`}
      back={<BackLink to={`/admin/users/${id}`}>Back to the user</BackLink>}
    >
      <FormAlert>{errors[""]}</FormAlert>
      {obstacles.length > 0 ? (
        <>
          <p>This account can&apos;t be closed yet. This is what the person would read:</p>
          <ul className={listStyles.list}>
            {obstacles.map(({ kind, text }) => (
              <li key={kind}>{text}</li>
            ))}
          </ul>
        </>
      ) : (
        <Form method="post" className={styles.stack} noValidate>
          <Field
            label="Ticket number of their message"
            name="ticket"
            required
            defaultValue={values.ticket}
            error={errors.ticket}
          />
          <TextAreaField
            label="Reason"
            name="reason"
            hint="We email it to the person."
            required
            maxLength={maxReasonLength}
            defaultValue={values.reason ?? ""}
            error={errors.reason}
          />
          <SubmitButton variant="danger" pendingLabel="Closing...">
            Close this account
          </SubmitButton>
        </Form>
      )}
    </Page>
  );
}
