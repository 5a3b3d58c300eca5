import { redirect, type RouterContextProvider } from "react-router";
import { signedInActor } from "../../accounts/actor.server.ts";
import { payments } from "../../payments/payments.server.ts";
import type { StartedOrder } from "../../payments/start-order.server.ts";
import { attempt, type Refusal, refuse } from "../../platform/forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import type { Toast } from "../../platform/toast.ts";
import { toast } from "../../platform/toasts.server.ts";
import { readDraft, removeDraftFile, savePortfolioUrl } from "./drafts.server.ts";
import type { Service } from "../rules.ts";
import { startReviewPayment } from "./start-review-payment.server.ts";
import { invalidUrl } from "../addresses.ts";
import { isMissing, missingParts, type Part, parts, stepsOf } from "./submission.ts";

/** What the forms of a submission do, each with its notices. */

type Context = Readonly<RouterContextProvider>;

/** Keeps the address typed, if any, and goes on when there is a portfolio in one form or the other. */
export async function savePortfolio(
  context: Context,
  service: Service,
  { portfolioUrl, seen }: { portfolioUrl: string | null; seen?: string | null },
): Promise<Response | Refusal> {
  const { db } = context.get(appContext);
  const actor = signedInActor(context);
  const values = { portfolioUrl: portfolioUrl ?? "" };
  const saved = await attempt(
    context,
    async () => {
      await savePortfolioUrl(db, actor, service.type, portfolioUrl, seen);
      return readDraft(db, actor, service.type);
    },
    { values, fallback: "Submission failed" },
  );
  if (!saved.ok) return refuseWith(context, { title: "Submission failed" }, saved.refusal);
  if (isMissing("portfolio", saved.value)) {
    const problem = missingParts.portfolio;
    return refuseWith(context, problem, refuse(422, { portfolioUrl: problem.description }, values));
  }
  return redirect(stepAfter(service, "portfolio"));
}

/** Takes a file out of the draft. */
export async function removePart(
  context: Context,
  service: Service,
  part: Part,
): Promise<Response | Refusal> {
  const removed = await attempt(
    context,
    () => removeDraftFile(context.get(appContext).db, signedInActor(context), service.type, part),
    { fallback: "Submission failed" },
  );
  if (!removed.ok) return refuseWith(context, { title: "Submission failed" }, removed.refusal);
  return redirect(`${service.path}?step=${part}`);
}

/** Begins the payment; the screen then leads to the provider. */
export async function pay(
  context: Context,
  service: Service,
  { phone, despite }: { phone: string | null; despite?: string },
  values: Record<string, string>,
): Promise<{ checkout: StartedOrder } | Refusal> {
  const { db, config } = context.get(appContext);
  const paid = await attempt(
    context,
    () =>
      startReviewPayment(
        db,
        { config, payments: context.get(payments) },
        signedInActor(context),
        service.type,
        { phone, despite },
      ),
    { values, fallback: "Payment initialization failed" },
  );
  if (paid.ok) return { checkout: paid.value };
  const missing = parts.find((part) => part in paid.refusal.data.errors);
  const problem = missing ? missingParts[missing] : paymentError(paid.message);
  return refuseWith(context, problem, paid.refusal);
}

export function paymentError(description: string): Toast {
  return { kind: "error", title: "Payment Error", description };
}

/** The answer to a form that does not keep to its schema. */
export function refuseForm(context: Context, refusal: Refusal): Refusal {
  const { errors } = refusal.data;
  if (errors.phone) return refuseWith(context, paymentError(errors.phone), refusal);
  return errors.portfolioUrl ? refuseWith(context, invalidUrl, refusal) : refusal;
}

function refuseWith(context: Context, problem: Omit<Toast, "kind">, refusal: Refusal): Refusal {
  toast(context, { ...problem, kind: "error" });
  return refusal;
}

function stepAfter(service: Service, part: Part): string {
  const steps = stepsOf(service);
  return `${service.path}?step=${steps[steps.indexOf(part) + 1]}`;
}
