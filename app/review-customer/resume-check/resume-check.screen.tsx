import { data, Form } from "react-router";
import { FileReadingResult } from "../../annotations/machine-reading/file-reading-result.tsx";
import { formatBytes, uploadRules } from "../../files/rules.ts";
import { FileField } from "../../files/upload-ui/file-field.tsx";
import { appContext } from "../../platform/app-context.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { sendForm } from "../../ui/feedback/send-form.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { FormSent } from "../../ui/form/form-sent.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import { services } from "../../reviews/rules.ts";
import type { Route } from "./+types/resume-check.screen.ts";
import { checkResume } from "./check-resume.server.ts";
import { resumeCheckPage } from "./pages.ts";
import stylesheet from "./resume-check.screen.css?url";
import * as styles from "./resume-check.module.css";

export const handle: PublicScreen = { page: resumeCheckPage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, resumeCheckPage);

/** The result is for one person, so nothing may store the answer. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export async function action({ request, context }: Route.ActionArgs) {
  const checked = await checkResume(context, request);
  if ("refusal" in checked) return checked.refusal;
  const price = formatRupees(context.get(appContext).config.reviewPrices.resume_review);
  const answer = { checked, price, errors: {} as Record<string, string> };
  return data(answer, { headers: { "Cache-Control": "no-store" } });
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const description = "Your file wasn't checked. Please try again in a moment.";
  return sendForm(serverAction, { request, description });
}

export default function ResumeCheck({ actionData }: Route.ComponentProps) {
  const { checked, price } =
    actionData && "checked" in actionData ? actionData : { checked: null, price: "" };
  return (
    <Page
      title={resumeCheckPage.title}
      intro="Employers search resumes with software. See what it reads in yours, without an account."
      aside={<CheckRail />}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {checked && (
        <FormSent key={checked.checkedAt} className={styles.result}>
          <h2>{checked.name}</h2>
          <FileReadingResult reading={checked.reading} />
          <ReviewLead price={price} />
        </FormSent>
      )}
      <ResumeForm errors={actionData?.errors ?? {}} isAgain={checked !== null} />
    </Page>
  );
}

function ResumeForm({ errors, isAgain }: { errors: Record<string, string>; isAgain: boolean }) {
  useFocusFirstError(errors);
  const { maxBytes } = uploadRules.resume;
  return (
    <Form method="post" encType="multipart/form-data" className={styles.form} preventScrollReset>
      <FormAlert>{errors[""]}</FormAlert>
      <FileField
        label={isAgain ? "Check another resume" : "Your resume"}
        name="file"
        accept=".pdf,application/pdf"
        required
        hint={`PDF, up to ${formatBytes(maxBytes)}`}
        error={errors.file}
      />
      <div className={styles.send}>
        <SubmitButton pendingLabel="Checking...">Check my resume</SubmitButton>
        <p>
          <Icon name="eye-off" />
          <span>
            We read your file once, in memory. We store no file, no text and no result. We only
            count the checks of your network, for two days.
          </span>
        </p>
      </div>
    </Form>
  );
}

/** Leads from the check to a review by a designer. */
function ReviewLead({ price }: { price: string }) {
  const { turnaroundHours } = services.resume_review;
  return (
    <div className={styles.lead}>
      <p>
        Software only reads the text. A designer from the industry tells you what to keep, what to
        cut and what to show first: {price}, within {turnaroundHours} hours.
      </p>
      <ButtonLink to="/services" variant="secondary">
        See Resume Review
        <Icon name="arrow-right" />
      </ButtonLink>
    </div>
  );
}

function CheckRail() {
  return (
    <div className={styles.rail}>
      <h2>What we check</h2>
      <ul>
        <li>Can all text be selected, or are pages pictures?</li>
        <li>Does software recognize every letter, or does it read symbols?</li>
        <li>Is the text read in the order of the page?</li>
        <li>Are your email address and phone number found?</li>
        <li>Do your links work, and are the fonts embedded?</li>
      </ul>
      <p>You get no score. These are facts about the file, not about your work.</p>
    </div>
  );
}
