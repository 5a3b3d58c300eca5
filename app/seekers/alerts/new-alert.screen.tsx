import { Form, useNavigation } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { findExcludingChoices } from "../../jobs/filters/excluding-choices.server.ts";
import { hour, now } from "../../platform/clock.ts";
import { createFormAction, showReasonAboveForm } from "../../platform/forms.server.ts";
import { countAsker, countTry } from "../../platform/rate-limit.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, SelectField, useFocusFirstError } from "../../ui/form/field.tsx";
import { FormSent } from "../../ui/form/form-sent.tsx";
import { SpamTrap } from "../../ui/form/spam-trap.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/new-alert.screen.ts";
import { AlertConsent, AlertFilterList } from "./alert-parts.tsx";
import {
  buildBoardPath,
  findNamedAlert,
  listAlertLabels,
  parseAlertFilters,
  toJobFilter,
} from "./alert-query.server.ts";
import stylesheet from "./new-alert.screen.css?url";
import { createOwnAlert } from "./own-alerts.server.ts";
import {
  alertByAddress,
  alertByClient,
  alertByPerson,
  alertForm,
  requestAlert,
} from "./request-alert.server.tsx";
import { alertFrequencies, confirmAlertWithin, frequencyLabels } from "./rules.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import * as styles from "./alerts.module.css";

const title = "Get new jobs by email";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export function loader({ request, context }: Route.LoaderArgs) {
  const { query, ignored } = parseAlertFilters(new URL(request.url).searchParams);
  return {
    labels: listAlertLabels(query),
    named: findNamedAlert(query),
    excluding: findExcludingChoices(toJobFilter(query)),
    ignored,
    board: buildBoardPath(query),
    ownEmail: context.get(currentActor)?.email ?? null,
    renderedAt: String(now().getTime()),
  };
}

export const action = createFormAction({
  schema: alertForm,
  async run({ url, context, value: form }) {
    const { db, config } = context.get(appContext);
    const actor = context.get(currentActor);
    const { query } = parseAlertFilters(url.searchParams);
    if (actor) {
      await countTry({ db, config }, alertByPerson, actor.id);
      await createOwnAlert(db, actor, { query, frequency: form.frequency });
      return { email: null };
    }
    await countAsker(context, alertByClient);
    if (form.email) await countTry({ db, config }, alertByAddress, form.email);
    await requestAlert(db, config, { query, form });
    return { email: form.email ?? null };
  },
  done: (asked) => ({ data: { asked, errors: {}, values: {} } }),
  failed: showReasonAboveForm("We couldn't create your alert"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function NewAlert({ loaderData, actionData }: Route.ComponentProps) {
  const { labels, named, excluding, ignored, board } = loaderData;
  const asked = actionData && "asked" in actionData ? actionData.asked : null;
  return (
    <Page
      width="text"
      back={
        <ButtonLink to={board} variant="ghost">
          <Icon name="arrow-left" />
          Back to Jobs
        </ButtonLink>
      }
      title={title}
      intro={<p>New jobs for your filters, in one email at 8 AM. No email if nothing is new.</p>}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {ignored && (
        <p role="status" className={styles.note}>
          {ignored}
        </p>
      )}
      {excluding && !asked && (
        <p className={styles.note}>
          “{excluding[0]}” and “{excluding[1]}” exclude each other, so this alert may never find a
          job.
        </p>
      )}
      {named && !asked && (
        <p className={styles.note}>
          A search looks at titles, companies and summaries only, so this alert would miss jobs.{" "}
          <Link to={named.to}>Get new {named.label} instead</Link>
        </p>
      )}
      <Card>
        <div className={styles.form}>
          <div className={styles.summary}>
            <AlertFilterList labels={labels} />
            {!asked && <Link to={board}>Change the filters on the board</Link>}
          </div>
          {asked ? (
            <AlertAsked email={asked.email} board={board} />
          ) : (
            <AlertForm
              {...loaderData}
              errors={actionData?.errors ?? {}}
              values={actionData?.values ?? {}}
            />
          )}
        </div>
      </Card>
    </Page>
  );
}

function AlertForm({
  ownEmail,
  renderedAt,
  errors,
  values,
}: {
  ownEmail: string | null;
  renderedAt: string;
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  useFocusFirstError(errors);
  // Sending replaces the form, so text typed meanwhile would be lost.
  const readOnly = useNavigation().formMethod === "POST";
  return (
    <Form method="post" noValidate preventScrollReset className={`${styles.form} ${styles.whole}`}>
      <FormAlert>{errors[""]}</FormAlert>
      <SelectField
        label="How often?"
        name="frequency"
        defaultValue={values.frequency ?? "daily"}
        options={alertFrequencies.map((value) => ({ value, label: frequencyLabels[value] }))}
        error={errors.frequency}
      />
      {ownEmail === null ? (
        <Field
          label="Your email"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={values.email}
          readOnly={readOnly}
          hint="We email you a link to start the alert. You don't need an account."
          error={errors.email}
        />
      ) : (
        <p>
          We email <strong>{ownEmail}</strong>. The alert starts at once.
        </p>
      )}
      <SpamTrap renderedAt={values.renderedAt ?? renderedAt} />
      <AlertConsent />
      <SubmitButton pendingLabel="Creating...">Create alert</SubmitButton>
    </Form>
  );
}

/** @param email the address of a visitor, who has to confirm the alert */
function AlertAsked({ email, board }: { email: string | null; board: OwnPath }) {
  return (
    <FormSent className={styles.result}>
      {email ? (
        <>
          <h2>Check your email</h2>
          <p>
            We sent an email to <strong>{email}</strong>. Open its link within{" "}
            {countNoun(confirmAlertWithin / hour, "hour")} to start your alert. An address gets at
            most one such email an hour.
          </p>
        </>
      ) : (
        <>
          <h2>Your alert is on</h2>
          <p>
            Your first email comes when there are new jobs. Change or stop it under{" "}
            <Link to="/profile/alerts">Job alerts</Link> on your profile.
          </p>
        </>
      )}
      <ButtonLink to={board} variant="secondary">
        Back to Jobs
      </ButtonLink>
    </FormSent>
  );
}
