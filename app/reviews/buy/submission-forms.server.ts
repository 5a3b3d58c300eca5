import { redirect } from "react-router";
import { z } from "zod";
import { signedInActor } from "../../accounts/actor.server.ts";
import { payments } from "../../payments/payments.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { formActions, formIntent, type Refusal, refuse } from "../../platform/forms.server.ts";
import type { Toast } from "../../platform/toast.ts";
import { briefSchema, saveBrief } from "../brief/brief.server.ts";
import { invalidUrl, isWebAddress } from "../addresses.ts";
import type { Service } from "../rules.ts";
import { lookAtPortfolio, readDraft, removeDraftFile, savePortfolioUrl } from "./drafts.server.ts";
import { startReviewPayment } from "./start-review-payment.server.ts";
import {
  cleanPhone,
  isMissing,
  missingParts,
  type Part,
  parts,
  phoneProblem,
  serviceAt,
  stepsOf,
} from "./submission.ts";

/** Keeps the address typed, if any, and goes on when there is a portfolio in one form or the other. */
const savePortfolio = formIntent({
  schema: z.object({
    /** Empty means: none. */
    portfolioUrl: z
      .string()
      .trim()
      .refine((text) => text === "" || isWebAddress(text), invalidUrl.description)
      .transform((text) => text || null),
    /** The address that stood in the field when it was shown. */
    seen: z
      .string()
      .transform((text) => text || null)
      .optional(),
  }),
  async run({ context, url, value: { portfolioUrl, seen } }) {
    const { db } = context.get(appContext);
    const actor = signedInActor(context);
    const { type } = serviceOf(url);
    await savePortfolioUrl(db, actor, type, portfolioUrl, seen);
    return readDraft(db, actor, type);
  },
  done(draft, { url }): { toast?: Toast; data: Response | Refusal } {
    if (!isMissing("portfolio", draft)) return { data: redirect(stepAfterPortfolio(url)) };
    const problem = missingParts.portfolio;
    const refusal = refuse(422, { portfolioUrl: problem.description });
    return { toast: { kind: "error", ...problem }, data: refusal };
  },
  failed({ refusal }) {
    // Who is told of another address goes on from that one.
    delete refusal.data.values.seen;
    return { toast: submissionFailed, data: refusal };
  },
  fallback: "Submission failed",
  invalid: (refusal) => ({
    toast: refusal.data.errors.portfolioUrl ? { kind: "error", ...invalidUrl } : undefined,
    data: refusal,
  }),
});

/** Notes that a stranger can see what the saved address leads to, or that nobody knows. */
const lookForm = formIntent({
  schema: z.object({ address: z.string(), opens: z.enum(["yes", "no"]) }),
  run: ({ context, url, value: { address, opens } }) =>
    lookAtPortfolio(context.get(appContext).db, signedInActor(context), serviceOf(url).type, {
      address,
      opens: opens === "yes",
    }),
  done: (_, { url }) => {
    const step = url.searchParams.get("step") === "payment" ? "payment" : "portfolio";
    return { data: redirect(`${serviceOf(url).path}?step=${step}`) };
  },
  failed: ({ message, refusal }) => ({
    toast: { ...submissionFailed, description: message },
    data: refusal,
  }),
  fallback: "Please try again in a moment.",
});

const submissionFailed: Toast = { kind: "error", title: "Submission failed" };

function stepAfterPortfolio(url: URL): string {
  const service = serviceOf(url);
  const steps = stepsOf(service);
  return `${service.path}?step=${steps[steps.indexOf("portfolio") + 1]}`;
}

/** Takes a file out of the draft. */
const removePart = (part: Part) =>
  formIntent({
    schema: z.object({}),
    run: ({ context, url }) =>
      removeDraftFile(
        context.get(appContext).db,
        signedInActor(context),
        serviceOf(url).type,
        part,
      ),
    done: (_, { url }) => ({ data: redirect(`${serviceOf(url).path}?step=${part}`) }),
    failed: ({ refusal }) => ({ toast: submissionFailed, data: refusal }),
    fallback: "Submission failed",
  });

/** Keeps what the buyer aims at. Scripts save it quietly as it is written, and the screen stays. */
const saveBriefForm = formIntent({
  schema: z.object({ ...briefSchema, quietly: z.string().optional() }),
  run({ context, url, value }) {
    const { db } = context.get(appContext);
    return saveBrief(db, signedInActor(context), serviceOf(url).type, value);
  },
  done(_, { url, value }): { toast?: Toast; data: Response | { saved: true } } {
    if (value.quietly) return { data: { saved: true } };
    return {
      toast: { kind: "success", title: "Saved for this review" },
      data: redirect(`${serviceOf(url).path}?step=payment&brief=open`),
    };
  },
  failed: ({ refusal }) => ({ toast: submissionFailed, data: refusal }),
  fallback: "Please try again in a moment.",
});

/** Begins the payment; the screen then leads to the provider. */
const pay = formIntent({
  schema: z.object({
    /** Empty means: none. */
    phone: z
      .string()
      .trim()
      .refine((text) => text === "" || cleanPhone(text) !== null, phoneProblem)
      .transform((text) => cleanPhone(text)),
    /** The unsettled payment that the payer was told of. */
    despite: z.string().max(64).optional(),
    ...briefSchema,
  }),
  run({ context, url, value: { phone, despite, ...brief } }) {
    const { db, config } = context.get(appContext);
    const needed = { config, payments: context.get(payments) };
    const sent = { phone, despite, brief };
    return startReviewPayment(db, needed, signedInActor(context), serviceOf(url).type, sent);
  },
  done: (checkout) => ({ data: { checkout } }),
  failed({ message, refusal }) {
    const missing = parts.find((part) => part in refusal.data.errors);
    const toast: Toast = missing
      ? { kind: "error", ...missingParts[missing] }
      : paymentError(message);
    return { toast, data: refusal };
  },
  fallback: "Payment initialization failed",
  invalid(refusal) {
    const [problem] = Object.values(refusal.data.errors);
    return { toast: problem ? paymentError(problem) : undefined, data: refusal };
  },
});

export function paymentError(description: string): Toast {
  return { kind: "error", title: "Payment Error", description };
}

/** The action of a submission. */
export const submissionForms = formActions({
  "save-portfolio": savePortfolio,
  "remove-resume": removePart("resume"),
  "remove-portfolio": removePart("portfolio"),
  "look-at-portfolio": lookForm,
  "save-brief": saveBriefForm,
  pay,
});

/** @throws {NotFound} where no service is bought. */
export function serviceOf({ pathname }: URL): Service {
  const service = serviceAt(pathname);
  if (!service) throw new NotFound();
  return service;
}
