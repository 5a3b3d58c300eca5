import type { ShouldRevalidateFunctionArgs } from "react-router";
import { signedInActor } from "../../accounts/actor.server.ts";
import { signedInGuardSaying } from "../../accounts/guards.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { readOwnProfile } from "../../accounts/read-profile.server.ts";
import { CheckoutRedirect } from "../../payments/checkout-redirect.tsx";
import { shortDate } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { readForm } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { sendForm } from "../../ui/form/send-form.ts";
import { titled } from "../../ui/meta/title.ts";
import type { Route } from "./+types/submission.screen.ts";
import { readDraft } from "./drafts.server.ts";
import { findPaymentInTheWay } from "./orders.server.ts";
import type { Service } from "../rules.ts";
import { serviceAt, stepToShow } from "./submission.ts";
import {
  pay,
  paymentError,
  refuseForm,
  removePart,
  savePortfolio,
} from "./submission-actions.server.ts";
import { submissionForm } from "./submission-form.server.ts";
import { SubmissionRail } from "./submission-rail.tsx";
import { SubmissionSteps } from "./submission-steps.tsx";

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
  const [draft, profile, unsettled, held] = await Promise.all([
    readDraft(db, actor, service.type),
    readOwnProfile(db, actor),
    findPaymentInTheWay(db, actor, service.type),
    takeHeldForm(context, request),
  ]);
  return {
    service,
    draft,
    step: stepToShow(service, draft, url.searchParams.get("step")),
    phone: profile?.phone ?? "",
    unsettled: unsettled && { ...unsettled, begunOn: shortDate(unsettled.begunAt) },
    held,
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const service = serviceOf(url);
  const form = await readForm(request, submissionForm);
  if (!form.ok) return refuseForm(context, form.refusal);

  switch (form.value.intent) {
    case "save-portfolio":
      return savePortfolio(context, service, form.value);
    case "remove-resume":
      return removePart(context, service, "resume");
    case "remove-portfolio":
      return removePart(context, service, "portfolio");
    default:
      return pay(context, service, form.value, form.values);
  }
}

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
 * after a failure of ours: reading might fail as well, and take what was typed and the message away.
 */
export function shouldRevalidate({
  formMethod,
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return formMethod === "POST" ? actionStatus < 500 : defaultShouldRevalidate;
}

function serviceOf({ pathname }: URL): Service {
  const service = serviceAt(pathname);
  if (!service) throw new NotFound();
  return service;
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
