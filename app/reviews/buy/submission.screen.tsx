import { Link, type ShouldRevalidateFunctionArgs } from "react-router";
import { readOwnProfile, signedInActor } from "../../accounts/actor.server.ts";
import { signedInGuardSaying } from "../../accounts/guards.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { CheckoutRedirect } from "../../payments/checkout-redirect.tsx";
import { appContext } from "../../platform/app-context.server.ts";
import { shortDate } from "../../platform/clock.ts";
import { formatRupees } from "../../payments/money.ts";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { sendForm } from "../../ui/form/send-form.ts";
import { Page } from "../../ui/layout/page.tsx";
import { titled } from "../../ui/meta.ts";
import { offerBrief } from "../brief/brief.server.ts";
import type { Service } from "../rules.ts";
import type { Route } from "./+types/submission.screen.ts";
import { readDraft } from "./drafts.server.ts";
import { findPaymentInTheWay } from "./orders.server.ts";
import { paymentError, serviceOf, submissionForms } from "./submission-forms.server.ts";
import { SubmissionSteps } from "./submission-steps.tsx";
import { stepToShow } from "./submission.ts";

export const middleware = [
  signedInGuardSaying(({ url, method }) =>
    method === "POST" && url.searchParams.get("step") === "payment"
      ? paymentError("You must be logged in to make a payment")
      : null,
  ),
];

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  titled(matches, loaderData?.service.shortLabel);

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = signedInActor(context);
  const service = serviceOf(url);
  const [draft, profile, unsettled, brief, held] = await Promise.all([
    readDraft(db, actor, service.type),
    readOwnProfile(db, actor),
    findPaymentInTheWay(db, actor, service.type),
    offerBrief(db, actor, service.type, url.searchParams.get("brief")),
    takeHeldForm(context, request),
  ]);
  return {
    service,
    draft,
    step: stepToShow(service, draft, url.searchParams.get("step")),
    phone: profile?.phone ?? "",
    unsettled: unsettled && { ...unsettled, begunOn: shortDate(unsettled.begunAt) },
    brief,
    held,
  };
}

export const action = submissionForms;

/** A payment says in its own words that it could not begin. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const isPayment = (await request.clone().formData()).get("intent") === "pay";
  return sendForm(serverAction, {
    request,
    ...(isPayment ? unsentPayment : { title: "Submission failed" }),
  });
}

const unsentPayment = {
  title: "Payment Error",
  description: "Payment initialization failed",
  message: "Payment initialization failed",
};

/**
 * Also after a refused form, which may have been refused because the draft is another by now. Not
 * after a failure of ours: reading might fail as well, and take what was typed and the message away. Nor
 * after what is saved as it is written, which the screen has.
 */
export function shouldRevalidate({
  formMethod,
  formData,
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if (formData?.has("quietly")) return false;
  return formMethod === "POST" ? actionStatus < 500 : defaultShouldRevalidate;
}

export default function Submission({ loaderData, actionData }: Route.ComponentProps) {
  const { service, held } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  if (actionData && "checkout" in actionData) {
    return (
      <Page title={service.shortLabel} width="narrow">
        <CheckoutRedirect {...actionData.checkout} />
      </Page>
    );
  }
  return (
    <Page title={service.shortLabel} aside={<SubmissionRail service={service} />}>
      <SubmissionSteps
        {...loaderData}
        errors={refused?.errors ?? {}}
        values={{ ...held, ...refused?.values }}
      />
    </Page>
  );
}

/** Beside the steps: what is bought, and what happens next. */
function SubmissionRail({ service }: { service: Service }) {
  const price = formatRupees(service.pricePaise);
  return (
    <div className="submission-rail">
      <p className="rail-price">
        {price}
        <small>Done within {service.turnaroundHours} hours</small>
      </p>
      <h2>What happens next</h2>
      <ol className="way way-rail">
        <li>You pay {price} on the page of PayU, our payment provider, and come back here.</li>
        <li>
          A reviewer from the industry reads your work
          {service.startPriority > 0 && ", with priority before single reviews"}.
        </li>
        <li>
          Within {service.turnaroundHours} hours you find the review on{" "}
          <Link to="/profile">your profile</Link>.
        </li>
      </ol>
      <p className="rail-note">
        Only you, your reviewer and our administrators can open your files. What you have gathered
        here is kept until you pay.
      </p>
    </div>
  );
}
