import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { buildSuccess, createFormActions, createFormIntent } from "../../platform/forms.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { SelectField } from "../../ui/form/field.tsx";
import { BackToProfile } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/own-alerts.screen.ts";
import { buildBoardPath, describeAlert } from "./alert-query.server.ts";
import stylesheet from "./own-alerts.screen.css?url";
import { changeAlertFrequency, listOwnAlerts, stopOwnAlert } from "./own-alerts.server.ts";
import { alertFrequencies, frequencyLabels } from "./rules.ts";
import * as ownThingsStyles from "../../accounts/own-things.module.css";
import * as styles from "./alerts.module.css";

const title = "Job alerts";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ context }: Route.LoaderArgs) {
  const own = await listOwnAlerts(context.get(appContext).db, getSignedInActor(context));
  return own.map(({ id, query, frequency, state, createdAt }) => ({
    id,
    frequency,
    name: describeAlert(query),
    board: buildBoardPath(query),
    isPending: state === "pending",
    since: formatShortDate(createdAt),
  }));
}

export const action = createFormActions({
  "change-frequency": createFormIntent({
    schema: z.object({
      id: z.string(),
      frequency: z.enum(alertFrequencies, "Choose how often"),
    }),
    run: ({ context, value }) =>
      changeAlertFrequency(context.get(appContext).db, context.get(currentActor), value),
    done: () => buildSuccess("Alert saved"),
    failed: "We couldn't save your alert",
  }),
  "stop-alert": createFormIntent({
    schema: z.object({ id: z.string() }),
    run: ({ context, value: { id } }) =>
      stopOwnAlert(context.get(appContext).db, context.get(currentActor), id),
    done: () => buildSuccess("Your alert is stopped"),
    failed: "We couldn't stop your alert",
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function OwnAlerts({ loaderData }: Route.ComponentProps) {
  return (
    <Page
      title={title}
      width="text"
      intro="New jobs for your filters, in one email at 8 AM. No email if nothing is new."
      back={<BackToProfile />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {loaderData.length === 0 ? (
        <EmptyState
          title="No job alerts yet"
          drawing="inbox"
          action={<ButtonLink to="/jobs">Go to the jobs</ButtonLink>}
        >
          Choose filters on the board, then press “Get new jobs by email”.
        </EmptyState>
      ) : (
        <Card>
          <ul className={ownThingsStyles.ownThings}>
            {loaderData.map((alert) => (
              <AlertRow key={alert.id} {...alert} />
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}

function AlertRow({
  id,
  name,
  board,
  frequency,
  isPending,
  since,
}: Route.ComponentProps["loaderData"][number]) {
  return (
    <li>
      <div className={styles.ownAlert}>
        <p className={ownThingsStyles.name}>
          <Link to={board}>{name}</Link>
          {isPending && <Badge tone="outline">Not confirmed</Badge>}
        </p>
        <p className={ownThingsStyles.facts}>
          {isPending ? `Open the link that we emailed on ${since}.` : `Since ${since}.`}
        </p>
      </div>
      <Form method="post" preventScrollReset className={styles.ownAlertForm}>
        <input type="hidden" name="id" value={id} />
        <SelectField
          key={frequency}
          id={`frequency-${id}`}
          label={
            <>
              How often<span className="sr-only">: {name}</span>
            </>
          }
          name="frequency"
          defaultValue={frequency}
          options={alertFrequencies.map((value) => ({ value, label: frequencyLabels[value] }))}
        />
        <div className={styles.ownAlertButtons}>
          <SubmitButton intent="change-frequency" variant="secondary" pendingLabel="Saving...">
            Save<span className="sr-only">: {name}</span>
          </SubmitButton>
          <SubmitButton intent="stop-alert" variant="ghost" pendingLabel="Stopping...">
            Stop<span className="sr-only">: {name}</span>
          </SubmitButton>
        </div>
      </Form>
    </li>
  );
}
