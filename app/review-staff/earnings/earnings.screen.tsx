import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  buildSuccess,
  createFormAction,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { parseMonth } from "../../platform/months.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import type { Route } from "./+types/earnings.screen.ts";
import {
  FeeTable,
  MonthAndYearTables,
  MonthLinks,
  MonthSums,
  toEarningsView,
  toMonthsView,
} from "./earnings-parts.tsx";
import { getOwnEarnings } from "./earnings.server.ts";
import { findPanDate, savePan } from "./pan.server.ts";
import { formatTaxNote } from "./statement.ts";
import * as styles from "./earnings.module.css";
import * as ownThingsStyles from "../../accounts/own-things.module.css";

const title = "Earnings";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  if (!config.reviewFees) throw new NotFound();
  const actor = getSignedInActor(context);
  const month = parseMonth(url.searchParams.get("month"));
  const earnings = await getOwnEarnings(db, actor, month);
  const panSavedAt = await findPanDate(db, actor.id);
  const isPanNeeded = earnings.years.some(({ feesPaise }) => feesPaise >= config.panFrom);
  return {
    ...toEarningsView(earnings, {
      month: (key) => `/reviewer/earnings?month=${key}`,
      review: (id) => `/reviewer/submission/${id}`,
    }),
    month: toMonthsView(month),
    taxNote: formatTaxNote(config.product),
    panFrom: formatRupees(config.panFrom),
    panSince: panSavedAt && formatShortDate(panSavedAt),
    isPanShown: isPanNeeded || panSavedAt !== null,
  };
}

export const action = createFormAction({
  schema: z.object({ pan: z.string() }),
  run: ({ context, value: { pan } }) =>
    savePan(context.get(appContext), context.get(currentActor), pan),
  done: () => buildSuccess("Your PAN is saved"),
  failed: showReasonAboveForm("Failed to save your PAN"),
});

export const shouldRevalidate = revalidateAfterRefusal;

export default function EarningsScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { month, sums, lines, months, years, taxNote, isPanShown } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  return (
    <Page
      back={<BackLink to="/reviewer">Back to Dashboard</BackLink>}
      title={title}
      intro="You earn a fee when you submit a review. It stays the same afterwards. Months and days are in IST."
      actions={
        <>
          <ButtonLink to={`/reviewer/earnings/${month.key}.pdf`} variant="secondary" reloadDocument>
            <Icon name="download" />
            PDF
          </ButtonLink>
          <ButtonLink to={`/reviewer/earnings/${month.key}.csv`} variant="secondary" reloadDocument>
            <Icon name="download" />
            CSV
          </ButtonLink>
        </>
      }
    >
      <MonthLinks {...month} />
      <div className={styles.parts}>
        <Card title={month.name}>
          <MonthSums sums={sums} />
          <p className="mt-4 text-ink-soft">{taxNote}</p>
        </Card>
        {lines.length > 0 ? (
          <FeeTable lines={lines} />
        ) : (
          <EmptyState title="No fees in this month" drawing="inbox">
            Each review you submit adds its fee here.
          </EmptyState>
        )}
        {isPanShown && <PanForm {...loaderData} errors={errors ?? {}} />}
        <MonthAndYearTables months={months} years={years} />
      </div>
    </Page>
  );
}

function PanForm({
  panSince,
  panFrom,
  errors,
}: {
  panSince: string | null;
  panFrom: string;
  errors: Partial<Record<string, string>>;
}) {
  return (
    <section aria-labelledby="pan">
      <h2 id="pan">Your PAN</h2>
      <p className="mb-4">
        {panSince
          ? `We have your PAN since ${panSince}. Enter it again to replace it.`
          : `Your fees in a financial year have reached ${panFrom}, so the payer needs your PAN for tax.`}{" "}
        It is stored encrypted. Each time an admin looks at it, that is recorded.
      </p>
      <Form method="post" className={ownThingsStyles.ownStack} noValidate preventScrollReset>
        <FormAlert>{errors[""]}</FormAlert>
        <Field
          label="PAN"
          name="pan"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
          error={errors.pan}
        />
        <SubmitButton pendingLabel="Saving...">Save PAN</SubmitButton>
      </Form>
    </section>
  );
}
