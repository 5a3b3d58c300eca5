import { data, Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { handBackReasons } from "../../reviews/hand-back-reasons.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/hand-back.screen.ts";
import { findReviewToHandBack } from "./drafts.server.ts";
import { handBackReview } from "./hand-back.server.ts";
import { maxNoteLength } from "./rules.ts";
import * as styles from "./hand-back.module.css";
import * as formStyles from "../../ui/form/stacked-form.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

const title = "Hand back this review";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const review = await findReviewToHandBack(db, getSignedInActor(context), params.reviewId);
  const form = review ? await restoreInterruptedForm(context, request) : {};
  return data({ review, form }, { status: review ? 200 : 404 });
}

const handBack = createFormIntent({
  schema: z.object({ reason: z.string(), note: z.string() }),
  run({ context, params: { reviewId = "" }, value }) {
    const { db, config } = context.get(appContext);
    return handBackReview(db, context.get(currentActor), { reviewId, ...value }, config);
  },
  done: () => ({
    toast: { kind: "success", title: "Review handed back" },
    data: redirect("/reviewer"),
  }),
  failed: showReasonAboveForm("The review wasn't handed back"),
});

export const action = createFormActions({ "hand-back": handBack });

export const shouldRevalidate = revalidateAfterRefusal;

export default function HandBackScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { review, form } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  const errors = refused?.errors ?? {};
  const values = refused?.values ?? form;
  useFocusFirstError(refused?.errors);
  if (!review)
    return (
      <Page title={title} width="text" back={<BackLink to="/reviewer">Back to Dashboard</BackLink>}>
        <FormAlert>{errors[""]}</FormAlert>
        {values.note && (
          <div className={otherTextStyles.otherText}>
            <p>Your note:</p>
            <blockquote>{values.note}</blockquote>
          </div>
        )}
        <EmptyState title="This review isn't yours to hand back" drawing="lost">
          You may have handed it back or submitted it already, or an admin gave it to another
          reviewer.
        </EmptyState>
      </Page>
    );
  return (
    <Page
      title={title}
      width="text"
      back={<BackLink to={`/reviewer/submission/${review.id}`}>Back to the review</BackLink>}
      intro={review.service}
    >
      <Form method="post" className={formStyles.form} noValidate>
        <FormAlert>{errors[""] ?? errors.reason}</FormAlert>
        <fieldset className={styles.reasons}>
          <legend>Why can&apos;t you finish it?</legend>
          {Object.entries(handBackReasons).map(([reason, label]) => (
            <label key={reason}>
              <input
                type="radio"
                name="reason"
                value={reason}
                defaultChecked={values.reason === reason}
                required
              />
              {label}
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label="Note to the admins (optional)"
          name="note"
          rows={3}
          maxLength={maxNoteLength}
          defaultValue={values.note ?? ""}
          error={errors.note}
        />
        <div className={styles.effects}>
          <h2>What happens next</h2>
          <ul>
            <li>
              The review returns to the queue, and admins are notified.{" "}
              {review.dueAt && `It's still due on ${review.dueAt}.`}
            </li>
            <li>
              What you wrote is kept for the next reviewer. If you know the author, only admins can
              see it. You can&apos;t open it any more.
            </li>
            <li>The customer gets no email.</li>
          </ul>
        </div>
        <SubmitButton intent="hand-back" pendingLabel="Handing back...">
          Hand back
        </SubmitButton>
      </Form>
    </Page>
  );
}
