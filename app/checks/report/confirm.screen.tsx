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
import { reasonLabels } from "../rules.ts";
import type { Route } from "./+types/confirm.screen.ts";
import {
  confirmReport,
  confirmReportByClient,
  findMailedReport,
  invalidReportLink,
} from "./confirm-report.server.ts";
import stylesheet from "./confirm.screen.css?url";
import * as formStyles from "../../ui/form/stacked-form.module.css";
import * as styles from "./report.module.css";

const title = "Confirm your report";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => secretLinkHeaders;

export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const report = await findMailedReport(db, config, token);
  return data({ report, invalidReportLink }, { status: report ? 200 : 404 });
}

export const action = createFormAction({
  schema: z.object({}),
  async run({ params: { token = "" }, context }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, confirmReportByClient);
    await confirmReport(db, config, token);
  },
  done: () => buildSuccess("Report confirmed"),
  failed: showReasonAboveForm("We couldn't confirm your report"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function ConfirmReport({ loaderData, actionData }: Route.ComponentProps) {
  const { report } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  return (
    <Page
      width="text"
      title={report?.state === "confirmed" ? "Thank you for your report" : title}
      intro={
        report && (
          <p>
            “{report.job.title}” at {report.job.company}
          </p>
        )
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{errors?.[""]}</FormAlert>
      {report ? (
        <Card>
          <dl className={styles.facts}>
            <div>
              <dt>Reason</dt>
              <dd>{reasonLabels[report.reason]}</dd>
            </div>
            {report.text && (
              <div>
                <dt>Details</dt>
                <dd>{report.text}</dd>
              </div>
            )}
          </dl>
          {report.state === "waiting" ? (
            <Form method="post" preventScrollReset>
              <SubmitButton pendingLabel="Confirming...">Confirm report</SubmitButton>
            </Form>
          ) : (
            <div className={formStyles.sent}>
              <p>{stateNotes[report.state]}</p>
              <ButtonLink to="/jobs" variant="secondary">
                Back to Jobs
              </ButtonLink>
            </div>
          )}
        </Card>
      ) : (
        <EmptyState
          drawing="lost"
          title={loaderData.invalidReportLink}
          action={<ButtonLink to="/jobs">Back to Jobs</ButtonLink>}
        >
          To report a listing again, open it on the board.
        </EmptyState>
      )}
    </Page>
  );
}

const stateNotes = {
  confirmed: "Your report is confirmed. We'll read it and check the listing.",
  closed: "This listing is no longer public. You don't need to confirm your report.",
};
