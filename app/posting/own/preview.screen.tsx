import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { findCompanyJob } from "../../jobs/manage/company-changes.server.ts";
import { toPublishSettings } from "../../jobs/manage/job-commands.server.ts";
import { CheckoutRedirect } from "../../payments/checkout-redirect.tsx";
import { formatRupees } from "../../payments/money.ts";
import { payments } from "../../payments/payments.server.ts";
import { findOfferedPlace } from "../../payments/buyer-place.server.ts";
import { PlaceFields } from "../../payments/tax/place-fields.tsx";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime, now } from "../../platform/clock.ts";
import { Invalid } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { buildPreview } from "../build-preview.server.ts";
import { readListing } from "../listing-form.server.ts";
import { ListingPreview } from "../listing-preview.tsx";
import { startListingPayment } from "./listing-payment.server.ts";
import { decidedWithinHours, kindLabels, listingProduct } from "../rules.ts";
import type { Route } from "./+types/preview.screen.ts";
import { sendSubmission, withdrawSubmission } from "./change-submission.server.ts";
import stylesheet from "./preview.screen.css?url";
import * as styles from "./own.module.css";
import { getOwnSubmission } from "./own-submissions.server.ts";

const title = "Preview of your listing";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, params: { submissionId }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const actor = getSignedInActor(context);
  const submission = await getOwnSubmission(db, actor, submissionId);
  if (submission.state === "live") throw redirect("/post/listings");
  const [job, place, restored] = await Promise.all([
    findCompanyJob(db, submission.jobId),
    findOfferedPlace(db, config.product, actor, "listing"),
    restoreInterruptedForm(context, request),
  ]);
  return {
    id: submission.id,
    version: submission.version,
    isWaiting: submission.state === "waiting",
    toPay: describePayment(submission),
    place,
    restored,
    isChange: job !== null,
    preview: readPreview(submission, job?.postedAt),
  };
}

/** Returns the price of an approved listing, and the time until which it can be paid; null for others. */
function describePayment({ state, price, payableUntil }: OwnSubmission) {
  if (state !== "payable" || price === null || payableUntil === null) return null;
  return {
    price: formatRupees(price),
    until: formatShortDateTime(payableUntil),
    isOver: payableUntil <= now(),
  };
}

type OwnSubmission = Awaited<ReturnType<typeof getOwnSubmission>>;

/** An incomplete draft has no preview: its form says what is missing. A listing that waits was complete when it was sent. */
function readPreview({ id, fields, company, state }: OwnSubmission, postedAt?: Date) {
  try {
    return buildPreview(id, readListing(fields, company), postedAt);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    if (state === "waiting" || state === "payable") return null;
    throw redirect(`/post/${id}`);
  }
}

export const action = createFormActions({
  "send-listing": createFormIntent({
    schema: z.object({ version: z.coerce.number().int().catch(0) }),
    run({ params: { submissionId = "" }, context, value: { version } }) {
      const { db, config } = context.get(appContext);
      const change = { id: submissionId, version };
      return sendSubmission(db, context.get(currentActor), change, toPublishSettings(config));
    },
    done: (kind) => ({
      toast: {
        kind: "success" as const,
        title: `${kindLabels[kind]} sent`,
        description: `We aim to check it within ${decidedWithinHours} hours, and email you our decision.`,
      },
      data: redirect("/post/listings"),
    }),
    failed: showReasonAboveForm("We couldn't send your listing"),
  }),
  "pay-listing": createFormIntent({
    schema: z.object({
      version: z.coerce.number().int().catch(0),
      state: z.string().optional(),
      gstin: z.string().optional(),
    }),
    run({ params: { submissionId = "" }, context, value: { version, ...typedPlace } }) {
      const { db, config } = context.get(appContext);
      const parts = { config, payments: context.get(payments) };
      const listing = { id: submissionId, version, typedPlace };
      return startListingPayment(db, parts, context.get(currentActor), listing);
    },
    done: (checkout) => ({ data: { checkout } }),
    failed: showReasonAboveForm("We couldn't start the payment"),
  }),
  "withdraw-listing": createFormIntent({
    schema: z.object({}),
    run: ({ params: { submissionId = "" }, context }) =>
      withdrawSubmission(context.get(appContext).db, context.get(currentActor), submissionId),
    done: (_withdrawn, { params }) => ({ data: redirect(`/post/${params.submissionId}`) }),
    failed: showReasonAboveForm("We couldn't take your listing back"),
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

function describeListingState({
  isWaiting,
  toPay,
}: Pick<Route.ComponentProps["loaderData"], "isWaiting" | "toPay">): string {
  if (isWaiting)
    return `We're checking it. We aim to decide within ${decidedWithinHours} hours, and email you.`;
  if (!toPay)
    return "Designers will see it like this. Visitors who aren't logged in don't see the contact.";
  return toPay.isOver
    ? `We approved it, but nobody paid by ${toPay.until}. Take it back and send it again.`
    : `We approved it. Pay by ${toPay.until}, and it is on the board as soon as the payment is confirmed.`;
}

export default function PreviewListing({ loaderData, actionData }: Route.ComponentProps) {
  const { isChange, restored, preview } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  // These two are shown beside their fields.
  const { state: _state, gstin: _gstin, ...others } = refused?.errors ?? {};
  useFocusFirstError(refused?.errors);
  if (actionData && "checkout" in actionData)
    return (
      <Page title={listingProduct} width="narrow">
        <CheckoutRedirect {...actionData.checkout} />
      </Page>
    );
  return (
    <Page
      back={<BackLink to="/post/listings">Your listings</BackLink>}
      title={title}
      intro={describeListingState(loaderData)}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{Object.values(others).join(" ")}</FormAlert>
      {isChange && (
        <p className={styles.note}>
          Designers see the published text until our team has read your change.
        </p>
      )}
      <ListingForm
        listing={loaderData}
        errors={refused?.errors ?? {}}
        values={{ ...restored, ...refused?.values }}
      />
      {preview ? (
        <ListingPreview {...preview} />
      ) : (
        <p>
          Something in this listing is no longer valid, such as its closing date. Take it back to
          change it.
        </p>
      )}
    </Page>
  );
}

/** The buttons for the listing's state. To pay, companies say where they are if the seller is registered for GST. */
function ListingForm({
  listing: { id, version, isWaiting, toPay, place },
  errors,
  values,
}: {
  listing: Route.ComponentProps["loaderData"];
  errors: Record<string, string>;
  values: Record<string, string>;
}) {
  const canPay = toPay !== null && !toPay.isOver;
  return (
    <Form method="post" noValidate className={styles.previewForm}>
      <input type="hidden" name="version" value={version} />
      {canPay && place && (
        <div className={styles.previewPlace}>
          <PlaceFields offered={place} values={values} errors={errors} />
        </div>
      )}
      <div className="row">
        {canPay && (
          <SubmitButton intent="pay-listing" pendingLabel="Starting...">
            Pay {toPay.price} and publish
          </SubmitButton>
        )}
        {isWaiting || toPay ? (
          <SubmitButton intent="withdraw-listing" variant="secondary" pendingLabel="Taking back...">
            Take it back to change it
          </SubmitButton>
        ) : (
          <>
            <SubmitButton intent="send-listing" pendingLabel="Sending...">
              Send to our team
            </SubmitButton>
            <ButtonLink to={`/post/${id}`} variant="secondary">
              Change it
            </ButtonLink>
          </>
        )}
      </div>
    </Form>
  );
}
