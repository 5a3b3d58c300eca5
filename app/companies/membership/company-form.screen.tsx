import { Form, useNavigation } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { hour } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { createFormAction, showReasonAboveForm } from "../../platform/forms.server.ts";
import { countTry } from "../../platform/rate-limit.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { FormSent } from "../../ui/form/form-sent.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { confirmWithin, maxLengths, maxWorkMails } from "../rules.ts";
import type { Route } from "./+types/company-form.screen.ts";
import stylesheet from "./company-form.screen.css?url";
import * as formStyles from "../../ui/form/stacked-form.module.css";
import { companyForm, requestMembership } from "./request-membership.server.tsx";

const title = "Add your company";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  return { typed: await restoreInterruptedForm(context, request) };
}

export const action = createFormAction({
  schema: companyForm,
  async run({ context, value: form }) {
    const { db, config } = context.get(appContext);
    const actor = getSignedInActor(context);
    await countTry({ db, config }, maxWorkMails, actor.id);
    await requestMembership(db, actor, config, form);
    return form.workEmail;
  },
  done: (workEmail) => ({ data: { workEmail, errors: {}, values: {} } }),
  failed: showReasonAboveForm("We couldn't add your company"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function CompanyForm({ loaderData, actionData }: Route.ComponentProps) {
  const workEmail = actionData && "workEmail" in actionData ? actionData.workEmail : null;
  return (
    <Page
      width="text"
      back={<BackLink to="/post">Posting a job</BackLink>}
      title={title}
      intro="You post for a company with an email address at its own domain. We email you a link to confirm it."
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Card>
        {workEmail ? (
          <FormSent className={formStyles.sent}>
            <h2>Check your work email</h2>
            <p>
              We sent a link to <strong>{workEmail}</strong>. Open it within{" "}
              {countNoun(confirmWithin / hour, "hour")}, in this account. An address gets at most
              one such email an hour.
            </p>
            <ButtonLink to="/post/listings" variant="secondary">
              Your listings
            </ButtonLink>
          </FormSent>
        ) : (
          <Fields
            errors={actionData?.errors ?? {}}
            values={{ ...loaderData.typed, ...actionData?.values }}
          />
        )}
      </Card>
    </Page>
  );
}

function Fields({
  errors,
  values,
}: {
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  useFocusFirstError(errors);
  // Sending replaces the form, so text typed meanwhile would be lost.
  const readOnly = useNavigation().formMethod === "POST";
  const of = (name: keyof typeof maxLengths) => ({
    name,
    defaultValue: values[name],
    error: errors[name],
    maxLength: maxLengths[name],
    readOnly,
  });
  return (
    <Form method="post" noValidate preventScrollReset className={formStyles.form}>
      <FormAlert>{errors[""]}</FormAlert>
      <Field label="Company name *" {...of("name")} required autoComplete="organization" />
      <Field
        label="Website *"
        {...of("website")}
        required
        inputMode="url"
        autoComplete="url"
        placeholder="https://"
        hint="The company's own domain, not a page on another site."
      />
      <Field
        label="Your work email *"
        {...of("workEmail")}
        type="email"
        required
        autoComplete="email"
        hint="At the same domain as the website. Only our team and your company's members see it."
      />
      <TextAreaField
        label="About the company"
        {...of("about")}
        rows={5}
        hint="For its public page: what you make, and how designers work with you. We read it before it goes online."
      />
      <SubmitButton pendingLabel="Sending...">Email me a link</SubmitButton>
    </Form>
  );
}
