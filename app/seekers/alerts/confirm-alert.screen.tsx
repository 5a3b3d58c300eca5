import { data, Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import {
  buildSuccess,
  createFormAction,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/confirm-alert.screen.ts";
import { AlertConsent, AlertFilterList } from "./alert-parts.tsx";
import { buildBoardPath, listAlertLabels } from "./alert-query.server.ts";
import stylesheet from "./confirm-alert.screen.css?url";
import {
  confirmAlert,
  confirmAlertByClient,
  findMailedAlert,
  invalidAlertLink,
  stoppedAlert,
} from "./request-alert.server.tsx";
import { frequencyLabels } from "./rules.ts";
import * as styles from "./alerts.module.css";

const title = "Confirm your job alert";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const mailed = await findMailedAlert(db, config, token);
  const alert = mailed && {
    state: mailed.state,
    frequency: frequencyLabels[mailed.frequency],
    labels: listAlertLabels(mailed.query),
    board: buildBoardPath(mailed.query),
  };
  return data({ alert, invalidAlertLink, stoppedAlert }, { status: alert ? 200 : 404 });
}

export const action = createFormAction({
  schema: z.object({}),
  async run({ params: { token = "" }, context }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, confirmAlertByClient);
    await confirmAlert(db, config, token);
  },
  done: () => buildSuccess("Your alert is on"),
  failed: showReasonAboveForm("We couldn't start your alert"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function ConfirmAlert({ loaderData, actionData }: Route.ComponentProps) {
  const { alert } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  return (
    <Page width="text" title={alert?.state === "active" ? "Your alert is on" : title}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{errors?.[""]}</FormAlert>
      {alert ? (
        <Card>
          <div className={styles.form}>
            <div className={styles.summary}>
              <AlertFilterList labels={alert.labels} />
              <p>{alert.frequency} at 8 AM, if there are new jobs.</p>
            </div>
            {alert.state === "pending" ? (
              <Form method="post" preventScrollReset className={styles.form}>
                <AlertConsent />
                <SubmitButton pendingLabel="Confirming...">Start the alert</SubmitButton>
              </Form>
            ) : (
              <>
                <p>
                  {alert.state === "active"
                    ? "Your first email comes when there are new jobs."
                    : loaderData.stoppedAlert}
                </p>
                <ButtonLink to={alert.board} variant="secondary">
                  See these jobs
                </ButtonLink>
              </>
            )}
          </div>
        </Card>
      ) : (
        <EmptyState
          drawing="lost"
          title={loaderData.invalidAlertLink}
          action={<ButtonLink to="/jobs">Go to the jobs</ButtonLink>}
        >
          To get new jobs by email, ask for an alert on the board again.
        </EmptyState>
      )}
    </Page>
  );
}
