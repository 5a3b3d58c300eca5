import { useRef } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { buildLimitedContacts, toContactsView } from "../../jobs/contact/apply-methods.ts";
import { limitContactViews } from "../../jobs/contact/view-limit.server.ts";
import { ContactText } from "../../jobs/listing/contact-text.tsx";
import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  buildSuccess,
  createFormAction,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { createFieldLengthCheck, line } from "../../platform/text/text-fields.server.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import { Field, FormAlert, SelectField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { trackerLimits } from "../tracker/rules.ts";
import type { Route } from "./+types/message.screen.ts";
import { findFirstMessage, saveFirstMessage } from "./first-message.server.ts";
import stylesheet from "./message.screen.css?url";
import { buildMailLink, isPortfolioOrEmpty, maxPortfolioLength } from "./rules.ts";
import * as styles from "./first-message.module.css";
import * as ownThingsStyles from "../../accounts/own-things.module.css";

const pageTitle = "Your first message";

export const middleware = [requireSignIn, limitContactViews];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, pageTitle);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, params: { jobId }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const own = await findFirstMessage(db, config, getSignedInActor(context), jobId);
  if (!own) throw new NotFound("Job Not Found");
  const { job, texts, shares, message, contacts, hasContact } = own;
  const { parts, notice, methods } = context.get(requestFacts).hidesContact
    ? buildLimitedContacts(contacts, hasContact)
    : toContactsView(contacts, hasContact);
  return {
    job,
    texts,
    chosenLink: own.link,
    links: [
      { value: "portfolio", label: "My portfolio address" },
      ...shares.map(({ id, serviceType, expiresAt }) => ({
        value: id,
        label: `My ${getServiceLabel(serviceType)}, shared until ${formatShortDate(expiresAt)}`,
      })),
      { value: "none", label: "No link" },
    ],
    message,
    parts,
    notice,
    link: methods.poc.kind === "mail" ? buildMailLink(methods.poc.url, message) : null,
    typed: await restoreInterruptedForm(context, request),
  };
}

const tooLong = (max: number) => `Enter at most ${max} characters.`;

export const action = createFormAction({
  schema: z.object({
    link: z.string(),
    motivation: line.refine(
      createFieldLengthCheck(trackerLimits.motivation),
      tooLong(trackerLimits.motivation),
    ),
    portfolio: line
      .refine(createFieldLengthCheck(maxPortfolioLength), tooLong(maxPortfolioLength))
      .refine(isPortfolioOrEmpty, "Enter a link that begins with https://."),
  }),
  run: ({ params: { jobId = "" }, context, value }) =>
    saveFirstMessage(context.get(appContext).db, context.get(currentActor), { jobId, ...value }),
  done: () => buildSuccess("Message saved"),
  failed: showReasonAboveForm("We couldn't save your message"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function EditMessage({ loaderData, actionData }: Route.ComponentProps) {
  const { job, texts, links, chosenLink, typed } = loaderData;
  const { errors = {}, values = typed } = actionData && "errors" in actionData ? actionData : {};
  useFocusFirstError(errors);
  return (
    <Page
      width="text"
      back={<BackLink to={`/jobs/${job.id}`}>Back to the job</BackLink>}
      title={pageTitle}
      intro={
        <p>
          “{job.title}” at {job.company}
        </p>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className={ownThingsStyles.ownStack}>
        <Card title="Message">
          <OwnMessage {...loaderData} />
        </Card>
        <Card title="Your part">
          <Form method="post" noValidate preventScrollReset className={ownThingsStyles.ownStack}>
            <FormAlert>{errors[""]}</FormAlert>
            <Field
              label="Why this job"
              name="motivation"
              maxLength={trackerLimits.motivation}
              defaultValue={values.motivation ?? texts.motivation}
              hint="One line, for this job only. It stays in your list of jobs."
              error={errors.motivation}
            />
            <SelectField
              label="Link to your work"
              name="link"
              options={links}
              defaultValue={values.link ?? chosenLink}
              hint="For all of your messages. When the link to a review ends, they show your portfolio address again."
              error={errors.link}
            />
            <Field
              label="Portfolio address"
              name="portfolio"
              type="url"
              inputMode="url"
              maxLength={maxPortfolioLength}
              defaultValue={values.portfolio ?? texts.portfolio}
              hint="Begins with https://."
              error={errors.portfolio}
            />
            <SubmitButton pendingLabel="Saving...">Save message</SubmitButton>
          </Form>
        </Card>
      </div>
    </Page>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

/** The message to open as an email or to copy, and the contact that it is for. */
function OwnMessage({ message, link, parts, notice }: Loaded) {
  const text = useRef<HTMLParagraphElement>(null);
  return (
    <div className={ownThingsStyles.ownStack}>
      <p>We don't send anything. You send it from your own email, WhatsApp or a form.</p>
      <p>
        <strong>{message.subject}</strong>
      </p>
      <p ref={text} className={styles.message}>
        {message.body}
      </p>
      {link && !link.isComplete && (
        <p>The message is too long for a link. Copy it into the email.</p>
      )}
      <div className={styles.ways}>
        {link && (
          <ButtonLink to={link.url}>
            Open as email
            <Icon name="mail" />
          </ButtonLink>
        )}
        <CopyButton text={message.body} source={text} label="the message" />
      </div>
      {notice ? <p>{notice}</p> : parts.length > 0 && <ContactText parts={parts} />}
    </div>
  );
}
