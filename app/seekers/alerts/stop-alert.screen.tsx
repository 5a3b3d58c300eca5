import { data, Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
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
import type { Route } from "./+types/stop-alert.screen.ts";
import { AlertFilterList } from "./alert-parts.tsx";
import { listAlertLabels } from "./alert-query.server.ts";
import stylesheet from "./stop-alert.screen.css?url";
import { frequencyLabels } from "./rules.ts";
import {
  findStopLink,
  invalidStopLink,
  stopAlertsFromPage,
  stopByClient,
} from "./stop-alerts.server.ts";
import * as styles from "./alerts.module.css";

const title = "Stop job alerts";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const stopLink = await findStopLink(db, config, token);
  const link = stopLink && {
    openAlerts: stopLink.openAlerts,
    alert: stopLink.alert && {
      frequency: frequencyLabels[stopLink.alert.frequency],
      labels: listAlertLabels(stopLink.alert.query),
    },
  };
  return data({ link, invalidStopLink }, { status: link ? 200 : 404 });
}

export const action = createFormActions({
  stop: createStopIntent(false),
  "stop-all": createStopIntent(true),
});

function createStopIntent(all: boolean) {
  return createFormIntent({
    schema: z.object({}),
    async run({ params: { token = "" }, context }) {
      const { db, config } = context.get(appContext);
      await countAsker(context, stopByClient);
      await stopAlertsFromPage(db, config, token, { all });
    },
    done: () => buildSuccess(all ? "All your alerts are stopped" : "Your alert is stopped"),
    failed: showReasonAboveForm("We couldn't stop it"),
  });
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function StopAlert({ loaderData, actionData }: Route.ComponentProps) {
  const { link } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  return (
    <Page width="text" title={title}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{errors?.[""]}</FormAlert>
      {link ? (
        <Card>
          <StopForms {...link} />
        </Card>
      ) : (
        <EmptyState
          drawing="lost"
          title={loaderData.invalidStopLink}
          action={<ButtonLink to="/jobs">Go to the jobs</ButtonLink>}
        >
          To stop your alerts, use the link in a newer email.
        </EmptyState>
      )}
    </Page>
  );
}

function StopForms({
  alert,
  openAlerts,
}: {
  alert: { labels: string[]; frequency: string } | null;
  openAlerts: number;
}) {
  const others = openAlerts - (alert ? 1 : 0);
  return (
    <div className={styles.form}>
      {alert && (
        <div className={styles.summary}>
          <AlertFilterList labels={alert.labels} />
          <p>{alert.frequency}</p>
        </div>
      )}
      {!alert && <p>{describeLeft(openAlerts)}</p>}
      <div className={styles.buttons}>
        {alert && (
          <Form method="post" preventScrollReset>
            <SubmitButton intent="stop" pendingLabel="Stopping...">
              Stop this alert
            </SubmitButton>
          </Form>
        )}
        {others > 0 && (
          <Form method="post" preventScrollReset>
            <SubmitButton
              intent="stop-all"
              variant={alert ? "secondary" : "primary"}
              pendingLabel="Stopping..."
            >
              {formatStopAll(openAlerts)}
            </SubmitButton>
          </Form>
        )}
        {openAlerts === 0 && (
          <ButtonLink to="/jobs" variant="secondary">
            Go to the jobs
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

function formatStopAll(openAlerts: number): string {
  if (openAlerts === 1) return "Stop it";
  return openAlerts === 2 ? "Stop both alerts" : `Stop all ${openAlerts} alerts`;
}

/** @param openAlerts the number of the address's alerts that aren't stopped */
function describeLeft(openAlerts: number): string {
  if (openAlerts === 0) return "You have no job alerts. We don't email you new jobs.";
  return openAlerts === 1
    ? "You have one job alert left."
    : `You have ${openAlerts} job alerts left.`;
}
