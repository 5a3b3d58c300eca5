import { z } from "zod";
import { findOwnProfile, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignInWithToast } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { CheckoutRedirect } from "../../payments/checkout-redirect.tsx";
import { formatRupees } from "../../payments/money.ts";
import { payments } from "../../payments/payments.server.ts";
import { findOfferedPlace } from "../../payments/buyer-place.server.ts";
import { appContext, type Toast } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import {
  createFormActions,
  createFormIntent,
  type Refusal,
  createFormRefusal,
  withFallback,
} from "../../platform/forms.server.ts";
import { getOwnPath, type OwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { sendForm } from "../../ui/feedback/send-form.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { invalidUrl, invalidUrlAtField, isWebAddress } from "../../reviews/addresses.ts";
import {
  briefSchema,
  isBriefUnchanged,
  getOfferedBrief,
  saveBrief,
} from "../../reviews/brief/brief.server.ts";
import { listPublicReviewers } from "../../reviews/reviewer-profile/introductions.server.ts";
import type { Offer } from "../../reviews/second-looks.server.ts";
import type { Route } from "./+types/submission.screen.ts";
import {
  recordPortfolioCheck,
  getDraft,
  removeDraftFile,
  savePortfolioUrl,
} from "./drafts.server.ts";
import stylesheet from "./submission.screen.css?url";
import { listDraftPreviews } from "./draft-previews.server.ts";
import { findBlockingPayment, startReviewPayment } from "./review-payments.server.ts";
import { getShownOffer } from "./shown-offer.server.ts";
import { SubmissionSteps } from "./submission-steps.tsx";
import {
  normalizePhone,
  isPartMissing,
  missingParts,
  type Part,
  parts,
  phoneProblem,
  getDraftTarget,
  getStepToShow,
  type Step,
} from "./submission.ts";
import * as styles from "./payment.module.css";
import * as stepsStyles from "./steps.module.css";

export const middleware = [
  // An autosave of the open brief posts to the same step, but is no attempt to pay.
  requireSignInWithToast(({ url: { searchParams }, method }) =>
    method === "POST" && searchParams.get("step") === "payment" && !searchParams.has("brief")
      ? buildPaymentErrorToast("You must be logged in to make a payment")
      : null,
  ),
];

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(matches, loaderData?.service.shortLabel);

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const actor = getSignedInActor(context);
  const offer = await getShownOffer({ url, params, context });
  const [draft, previews, profile, place, unsettled, brief, reviewers, restored] =
    await Promise.all([
      getDraft(db, actor, offer),
      withFallback(context, () => listDraftPreviews(db, actor, offer), []),
      findOwnProfile(db, actor),
      findOfferedPlace(db, config.product, actor, "review"),
      findBlockingPayment(db, actor, offer),
      getOfferedBrief(db, actor, offer, url.searchParams.get("brief")),
      withFallback(context, () => listPublicReviewers(db), []),
      restoreInterruptedForm(context, request),
    ]);
  return {
    service: offer,
    draft,
    previews,
    step: getStepToShow(offer, draft, url.searchParams.get("step")),
    phone: profile?.phone ?? "",
    place,
    unsettled: unsettled && { ...unsettled, startedOn: formatShortDate(unsettled.startedAt) },
    brief,
    reviewers: reviewers.map(({ name, facts }) => ({ name, facts })),
    restored,
  };
}

/** Saves the typed address, if any, and continues once there is a file or an address. */
const savePortfolio = createFormIntent({
  schema: z.object({
    /** Empty for none. */
    portfolioUrl: z
      .string()
      .trim()
      .refine((text) => text === "" || isWebAddress(text), invalidUrlAtField)
      .transform((text) => text || null),
    /** The address in the field when the form was shown. */
    seen: z
      .string()
      .transform((text) => text || null)
      .optional(),
  }),
  async run({ value: { portfolioUrl, seen }, ...args }) {
    const { db } = args.context.get(appContext);
    const actor = getSignedInActor(args.context);
    const offer = await getShownOffer(args);
    await savePortfolioUrl(db, actor, offer, portfolioUrl, seen);
    return getDraft(db, actor, offer);
  },
  done(draft, { url }): { toast?: Toast; data: Response | Refusal } {
    // The payment is the step after the portfolio.
    if (!isPartMissing("portfolio", draft)) return { data: redirect(getStepPath(url, "payment")) };
    const refusal = createFormRefusal(422, {
      portfolioUrl: "Add a file or a link to continue",
    });
    return { toast: { kind: "error", ...missingParts.portfolio }, data: refusal };
  },
  failed({ refusal }) {
    // The error shows the current address, so the next submit starts from that one.
    delete refusal.data.values.seen;
    return { toast: submissionFailed, data: refusal };
  },
  fallback: "Please try again in a moment.",
  invalid: (refusal) => ({
    toast: refusal.data.errors.portfolioUrl ? { kind: "error", ...invalidUrl } : undefined,
    data: refusal,
  }),
});

/** Records whether the owner confirmed that the saved address opens without signing in. */
const lookForm = createFormIntent({
  schema: z.object({ address: z.string(), opens: z.enum(["yes", "no"]) }),
  run: async ({ value: { address, opens }, ...args }) =>
    recordPortfolioCheck(
      args.context.get(appContext).db,
      getSignedInActor(args.context),
      await getShownOffer(args),
      { address, opens: opens === "yes" },
    ),
  done: (_, { url }) => {
    const step = url.searchParams.get("step") === "payment" ? "payment" : "portfolio";
    return { data: redirect(getStepPath(url, step)) };
  },
  failed: ({ refusal }) => ({ toast: submissionFailed, data: refusal }),
  fallback: "Please try again in a moment.",
});

const submissionFailed: Toast = { kind: "error", title: "Submission failed" };

function getStepPath({ pathname }: URL, step: Step, more = ""): OwnPath {
  return getOwnPath({ pathname, search: `?step=${step}${more}` });
}

/** Builds the form that removes a file from the draft. */
const buildRemovePartForm = (part: Part) =>
  createFormIntent({
    schema: z.object({}),
    run: async (args) =>
      removeDraftFile(
        args.context.get(appContext).db,
        getSignedInActor(args.context),
        await getShownOffer(args),
        part,
      ),
    done: (_, { url }) => ({ data: redirect(getStepPath(url, part)) }),
    failed: ({ refusal }) => ({ toast: submissionFailed, data: refusal }),
    fallback: "Please try again in a moment.",
  });

/** Saves the brief without paying, for browsers without scripts. */
const saveBriefForm = createFormIntent({
  schema: z.object(briefSchema),
  async run({ value, ...args }) {
    const { db } = args.context.get(appContext);
    const target = getDraftTarget(await getShownOffer(args));
    return saveBrief(db, getSignedInActor(args.context), target, value);
  },
  done: (_, { url }) => ({
    toast: { kind: "success", title: "Saved for this review" },
    data: redirect(getStepPath(url, "payment", "&brief=open")),
  }),
  failed: ({ refusal }) => ({ toast: submissionFailed, data: refusal }),
  fallback: "Please try again in a moment.",
});

/** Starts the payment; the screen then redirects to the provider. */
const pay = createFormIntent({
  schema: z.object({
    /** Empty for none. */
    phone: z
      .string()
      .trim()
      .refine((text) => text === "" || normalizePhone(text) !== null, phoneProblem)
      .transform((text) => normalizePhone(text)),
    /** The unsettled payment that the payer was warned about. */
    despite: z.string().max(64).optional(),
    /** The version of the materials that the payer checked. */
    version: z.string().max(64).optional(),
    /** The price in paise that the payer saw. */
    price: z.string().max(64).optional(),
    keptBrief: z.string().optional(),
    state: z.string().optional(),
    gstin: z.string().optional(),
    ...briefSchema,
  }),
  async run({ value, ...args }) {
    const { context } = args;
    const { phone, despite, version, price, keptBrief, state, gstin, ...brief } = value;
    const { db, config } = context.get(appContext);
    const app = { config, payments: context.get(payments) };
    const changedBrief = isBriefUnchanged(brief, keptBrief) ? undefined : brief;
    const order = {
      phone,
      despite,
      version,
      shownPaise: Number(price),
      brief: changedBrief,
      typedPlace: { state, gstin },
    };
    return startReviewPayment(db, app, getSignedInActor(context), await getShownOffer(args), order);
  },
  done: (checkout) => ({ data: { checkout } }),
  failed({ message, refusal }) {
    const missing = parts.find((part) => part in refusal.data.errors);
    const toast: Toast = missing
      ? { kind: "error", ...missingParts[missing] }
      : buildPaymentErrorToast(message);
    return { toast, data: refusal };
  },
  fallback: "Payment initialization failed",
  invalid(refusal) {
    const [problem] = Object.values(refusal.data.errors);
    return { toast: problem ? buildPaymentErrorToast(problem) : undefined, data: refusal };
  },
});

function buildPaymentErrorToast(description: string): Toast {
  return { kind: "error", title: "Payment Error", description };
}

export const action = createFormActions({
  "save-portfolio": savePortfolio,
  "remove-resume": buildRemovePartForm("resume"),
  "remove-portfolio": buildRemovePartForm("portfolio"),
  "look-at-portfolio": lookForm,
  "save-brief": saveBriefForm,
  pay,
});

/** Sends the form. A payment that could not start has its own error message. */
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

export const shouldRevalidate = revalidateAfterRefusal;

export default function Submission({ loaderData, actionData }: Route.ComponentProps) {
  const { service, reviewers, restored } = loaderData;
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
    <Page
      title={service.shortLabel}
      aside={
        <SubmissionRail
          service={service}
          price={formatRupees(service.pricePaise)}
          reviewers={reviewers}
        />
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <SubmissionSteps
        {...loaderData}
        errors={refused?.errors ?? {}}
        values={{ ...restored, ...refused?.values }}
      />
    </Page>
  );
}

/** The rail beside the steps: the purchase, what happens next, and the reviewers who agreed to be shown. */
function SubmissionRail({
  service,
  price,
  reviewers,
}: {
  service: Offer;
  price: string;
  reviewers: { name: string; facts: string[] }[];
}) {
  const { turnaroundHours, startPriority, secondLookOf } = service;
  return (
    <div>
      <p className={styles.railPrice}>
        {price}
        <small>Done within {turnaroundHours} hours</small>
      </p>
      <h2>What happens next</h2>
      <ol className={`${stepsStyles.way} ${stepsStyles.wayRail}`}>
        <li>You pay {price} on the page of PayU, our payment provider, and return here.</li>
        {secondLookOf ? (
          <li>
            A reviewer, the same one if possible, compares your new version with the remarks of{" "}
            {/* That page has its own policy on images, which comes with the document. */}
            <Link to={`/service-review/${secondLookOf}`} reloadDocument>
              your earlier review
            </Link>
            .
          </li>
        ) : (
          <li>
            A reviewer from the industry reads your work
            {startPriority > 0 && ", ahead of single reviews"}.
          </li>
        )}
        <li>
          You&apos;ll find the review on <Link to="/profile">your profile</Link> within{" "}
          {turnaroundHours} hours.
        </li>
      </ol>
      {reviewers.length > 0 && (
        <>
          <h2 className={styles.railHeading}>Who may review it</h2>
          <ul className={styles.railReviewers}>
            {reviewers.map(({ name, facts }, index) => (
              <li key={index}>
                <strong>{name}</strong>
                {facts.map((fact) => (
                  <p key={fact}>{fact}</p>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={styles.railNote}>
        Only you, your reviewer and our admins can open your files. We save this draft until you
        pay.
      </p>
    </div>
  );
}
