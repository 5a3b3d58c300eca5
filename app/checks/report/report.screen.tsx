import { Form, useNavigation } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { findJob } from "../../jobs/listing/find-job.server.ts";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { hour, now } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { createFormAction, showReasonAboveForm } from "../../platform/forms.server.ts";
import { countAsker, countTry } from "../../platform/rate-limit.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import {
  Field,
  FormAlert,
  SelectField,
  TextAreaField,
  useFocusFirstError,
} from "../../ui/form/field.tsx";
import { FormSent } from "../../ui/form/form-sent.tsx";
import { SpamTrap } from "../../ui/form/spam-trap.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { confirmWithin, maxReportLength, reasonLabels, reportReasons } from "../rules.ts";
import type { Route } from "./+types/report.screen.ts";
import stylesheet from "./report.screen.css?url";
import {
  reportByAddress,
  reportByClient,
  reportByPerson,
  reportForm,
  sendReport,
} from "./send-report.server.tsx";
import { countNoun } from "../../platform/count-noun.ts";
import * as formStyles from "../../ui/form/stacked-form.module.css";
import * as styles from "./report.module.css";

const title = "Report this listing";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ params: { jobId }, context }: Route.LoaderArgs) {
  const listing = await findJob(context.get(appContext).db, null, jobId);
  if (listing.state !== "open") throw new NotFound("Job Not Found");
  const { id, title: name, company } = listing.job;
  return {
    job: { id, title: name, company },
    isVisitor: context.get(currentActor) === null,
    renderedAt: String(now().getTime()),
  };
}

export const action = createFormAction({
  schema: reportForm,
  async run({ params: { jobId = "" }, context, value: form }) {
    const { db, config } = context.get(appContext);
    const actor = context.get(currentActor);
    if (actor) await countTry({ db, config }, reportByPerson, actor.id);
    else {
      await countAsker(context, reportByClient);
      if (form.email) await countTry({ db, config }, reportByAddress, form.email);
    }
    const { clientAddress } = context.get(requestFacts);
    await sendReport(db, config, { jobId, form, reporterId: actor?.id ?? null, clientAddress });
    return { email: actor ? null : (form.email ?? null) };
  },
  done: (sent) => ({ data: { sent, errors: {}, values: {} } }),
  failed: showReasonAboveForm("We couldn't send your report"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function Report({ loaderData, actionData }: Route.ComponentProps) {
  const { job } = loaderData;
  const sent = actionData && "sent" in actionData ? actionData.sent : null;
  return (
    <Page
      width="text"
      back={
        <ButtonLink to={`/jobs/${job.id}`} variant="ghost">
          <Icon name="arrow-left" />
          Back to the job
        </ButtonLink>
      }
      title={title}
      intro={
        <p>
          “{job.title}” at {job.company}
        </p>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Card>
        {sent ? (
          <ReportSent email={sent.email} jobId={job.id} />
        ) : (
          <ReportForm
            {...loaderData}
            errors={actionData?.errors ?? {}}
            values={actionData?.values ?? {}}
          />
        )}
      </Card>
      <p className={styles.hint}>
        A person checks every report before a listing is removed. See{" "}
        <Link to="/jobs/removed">the listings we removed</Link>. To report a crime, go to{" "}
        <a href="https://cybercrime.gov.in" rel="noreferrer">
          cybercrime.gov.in
        </a>
        .
      </p>
    </Page>
  );
}

function ReportForm({
  isVisitor,
  renderedAt,
  errors,
  values,
}: {
  isVisitor: boolean;
  renderedAt: string;
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  useFocusFirstError(errors);
  // Sending replaces the form, so text typed meanwhile would be lost.
  const readOnly = useNavigation().formMethod === "POST";
  return (
    <Form method="post" noValidate preventScrollReset className={formStyles.form}>
      <FormAlert>{errors[""]}</FormAlert>
      <SelectField
        label="What is wrong?"
        name="reason"
        defaultValue={values.reason ?? ""}
        options={[
          { value: "", label: "Choose a reason" },
          ...reportReasons.map((value) => ({ value, label: reasonLabels[value] })),
        ]}
        hint="Private data: your bank details, Aadhaar or a code, for example."
        error={errors.reason}
      />
      <TextAreaField
        label="Details"
        name="text"
        rows={5}
        maxLength={maxReportLength}
        defaultValue={values.text}
        readOnly={readOnly}
        hint="For example, who asked for money, and how. Required for “Something else”."
        error={errors.text}
      />
      {isVisitor && (
        <Field
          label="Your email"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={values.email}
          readOnly={readOnly}
          hint="We email you a link to confirm the report. The company never sees your address, and we delete it 180 days after our decision."
          error={errors.email}
        />
      )}
      <SpamTrap renderedAt={values.renderedAt ?? renderedAt} />
      <SubmitButton pendingLabel="Sending...">Send report</SubmitButton>
    </Form>
  );
}

/** @param email the address of a visitor, who has to confirm the report */
function ReportSent({ email, jobId }: { email: string | null; jobId: string }) {
  return (
    <FormSent className={formStyles.sent}>
      {email ? (
        <>
          <h2>Check your email</h2>
          <p>
            We sent a link to <strong>{email}</strong>. Open it within{" "}
            {countNoun(confirmWithin / hour, "hour")} to confirm your report. An address gets at
            most one such email an hour.
          </p>
        </>
      ) : (
        <>
          <h2>Thank you for your report</h2>
          <p>We&apos;ll read it and check the listing.</p>
        </>
      )}
      <ButtonLink to={`/jobs/${jobId}`} variant="secondary">
        Back to the job
      </ButtonLink>
    </FormSent>
  );
}
