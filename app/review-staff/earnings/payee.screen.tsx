import { Form, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { requireRecentSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate, now, toIsoDay } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { parseMonth } from "../../platform/months.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { createFieldLengthCheck, line } from "../../platform/text/text-fields.server.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { maxReasonLength } from "../../ui/form/decision-rules.ts";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import { Field, FormAlert, TextAreaField, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/payee.screen.ts";
import {
  FeeTable,
  MonthAndYearTables,
  MonthLinks,
  MonthSums,
  toEarningsView,
  toMonthsView,
} from "./earnings-parts.tsx";
import { isOver, maxReferenceLength } from "./fees.ts";
import { getPan } from "./pan.server.ts";
import { getPayee, recordPayout, withdrawFee } from "./payouts.server.ts";
import * as styles from "./earnings.module.css";
import * as ownThingsStyles from "../../accounts/own-things.module.css";

export const middleware = [requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Payout");

/** A page that shows a PAN is never stored. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  if (!config.reviewFees) throw new NotFound();
  const month = parseMonth(url.searchParams.get("month"));
  const actor = getSignedInActor(context);
  const { payee, panSavedAt, refundedIds, ...earnings } = await getPayee(
    db,
    actor,
    params.reviewerId,
    month,
  );
  const { duePaise, payout } = earnings.month;
  const address: OwnPath = `/admin/payouts/${payee.id}?month=${month.key}`;
  return {
    ...toEarningsView(earnings, {
      month: (key) => `/admin/payouts/${payee.id}?month=${key}`,
      review: (id) => `/admin/reviews/${id}/remarks`,
      takeBack: (id) => (refundedIds.includes(id) ? `${address}&take-back=${id}` : null),
    }),
    address,
    name: payee.name ?? "Closed account",
    email: payee.email,
    month: toMonthsView(month),
    payable:
      isOver(month, now()) && duePaise > 0 && !payout
        ? {
            paise: duePaise,
            amount: formatRupees(duePaise),
            first: toIsoDay(month.end),
            last: toIsoDay(now()),
          }
        : null,
    panSince: panSavedAt && formatShortDate(panSavedAt),
    restored: await restoreInterruptedForm(context, request),
  };
}

const payoutForm = z.object({
  month: z.string(),
  paise: z.coerce.number().int(),
  paidOn: z.string(),
  reference: line.pipe(
    z
      .string()
      .min(1, "Enter the bank's reference")
      .refine(
        createFieldLengthCheck(maxReferenceLength),
        `Enter at most ${maxReferenceLength} characters`,
      ),
  ),
});

export const action = createFormActions({
  "record-payout": createFormIntent({
    schema: payoutForm,
    run({ context, params: { reviewerId = "" }, value }) {
      const { db } = context.get(appContext);
      return recordPayout(db, getSignedInActor(context), { reviewerId, ...value });
    },
    done: () => buildSuccess("Payout recorded"),
    failed: showReasonAboveForm("Failed to record the payout"),
  }),
  "take-back": createFormIntent({
    schema: z.object({ reviewId: z.string(), reason: decisionReason }),
    run: ({ context, value }) =>
      withdrawFee(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("Fee taken back"),
    failed: "Failed to take back the fee",
  }),
  "show-pan": createFormIntent({
    schema: z.object({}),
    run: ({ context, params: { reviewerId = "" } }) =>
      getPan(context.get(appContext), getSignedInActor(context), reviewerId),
    done: (pan) => ({ data: { pan } }),
    failed: "Failed to show the PAN",
  }),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function PayeeScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { name, email, address, month, sums, lines, months, years } = loaderData;
  const [params] = useSearchParams();
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  const feeToTakeBack = lines.find(
    ({ reviewId, takeBack }) => takeBack && reviewId === params.get("take-back"),
  );
  return (
    <Page
      back={<BackLink to={`/admin/payouts?month=${month.key}`}>Back to Payouts</BackLink>}
      title={`${name}: ${month.name}`}
      intro={email}
    >
      <MonthLinks {...month} />
      <div className={styles.parts}>
        <Card title={month.name}>
          <MonthSums sums={sums} />
        </Card>
        <PayoutForm {...loaderData} refused={refused} />
        {lines.length > 0 && <FeeTable lines={lines} />}
        <Pan
          since={loaderData.panSince}
          pan={actionData && "pan" in actionData ? actionData.pan : null}
        />
        <MonthAndYearTables months={months} years={years} />
      </div>
      <FormDialog
        open={feeToTakeBack !== undefined}
        title={`Take back ${feeToTakeBack?.amount ?? "the fee"}?`}
        closed={address}
        intent="take-back"
        submitLabel="Take back"
        pendingLabel="Taking back..."
        variant="danger"
      >
        {({ errors, values }) => (
          <>
            <p className="mb-4">
              It is deducted from the current month. {name} reads your reason on the statement. You
              can&apos;t undo this.
            </p>
            <FormAlert>{errors?.[""]}</FormAlert>
            <input type="hidden" name="reviewId" value={feeToTakeBack?.reviewId ?? ""} />
            <TextAreaField
              label="Reason"
              name="reason"
              rows={2}
              maxLength={maxReasonLength}
              defaultValue={values?.reason}
              error={errors?.reason}
            />
          </>
        )}
      </FormDialog>
    </Page>
  );
}

type Refused = { errors: Partial<Record<string, string>>; values: Partial<Record<string, string>> };

function PayoutForm({
  payable,
  month,
  refused,
  restored,
}: Pick<Route.ComponentProps["loaderData"], "payable" | "month" | "restored"> & {
  refused: Refused | undefined;
}) {
  if (!payable) return null;
  const isSent = refused?.values.intent === "record-payout";
  const errors = isSent ? refused.errors : {};
  const values: Refused["values"] = isSent ? refused.values : restored;
  return (
    <section aria-labelledby="record-payout">
      <h2 id="record-payout">Record a payout of {payable.amount}</h2>
      <Form method="post" className={ownThingsStyles.ownStack} noValidate preventScrollReset>
        <FormAlert>{errors[""]}</FormAlert>
        <input type="hidden" name="month" value={month.key} />
        <input type="hidden" name="paise" value={payable.paise} />
        <Field
          label="Paid on"
          name="paidOn"
          type="date"
          min={payable.first}
          max={payable.last}
          defaultValue={values.paidOn ?? payable.last}
          error={errors.paidOn}
        />
        <Field
          label="The bank's reference"
          name="reference"
          maxLength={maxReferenceLength}
          defaultValue={values.reference}
          error={errors.reference}
        />
        <SubmitButton intent="record-payout" pendingLabel="Recording...">
          Record payout
        </SubmitButton>
      </Form>
    </section>
  );
}

function Pan({ since, pan }: { since: string | null; pan: string | null }) {
  return (
    <section aria-labelledby="pan">
      <h2 id="pan">PAN</h2>
      {since === null ? (
        <p>This person has given no PAN.</p>
      ) : (
        <>
          <p className="mb-4" aria-live="polite">
            {pan ? (
              <code className={styles.pan}>{pan}</code>
            ) : (
              `Given on ${since}. If you look at it, that is recorded in the audit log.`
            )}
          </p>
          {!pan && (
            <Form method="post" preventScrollReset>
              <SubmitButton intent="show-pan" variant="secondary" pendingLabel="Showing...">
                Show PAN
              </SubmitButton>
            </Form>
          )}
        </>
      )}
    </section>
  );
}
