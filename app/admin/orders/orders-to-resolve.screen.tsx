import { useFetcher, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { payments } from "../../payments/payments.server.ts";
import {
  checkOrderToResolve,
  resolveOrder,
  listOrdersToResolvePage,
} from "../../payments/resolve/orders-to-resolve.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormActions, createFormIntent, buildSuccess } from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import type { OwnAddress, OwnPath } from "../../platform/own-path.ts";
import { createFieldLengthCheck, lines } from "../../platform/text/text-fields.server.ts";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { TextAreaField } from "../../ui/form/field.tsx";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import type { Column } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { toOrderRow } from "../overview.server.ts";
import { paymentColumns, type PaymentRow } from "../parts.tsx";
import type { Route } from "./+types/orders-to-resolve.screen.ts";
import { orderCheckMessages } from "./order-copy.ts";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

const title = "Payments to resolve";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { after } = parsePaymentsQuery(new URL(request.url).searchParams);
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const page = await listOrdersToResolvePage(db, getSignedInActor(context), after);
      return { ...page, rows: page.rows.map(toOrderRow) };
    },
    { fallback: "Failed to load the payments", none: {} },
  );
}

const maxNoteLength = 500;

export const action = createFormActions({
  ask: createFormIntent({
    schema: z.object({ orderId: z.string() }),
    run: ({ context, value: { orderId } }) =>
      checkOrderToResolve(
        context.get(appContext),
        context.get(payments),
        getSignedInActor(context),
        orderId,
      ),
    done: ({ status }) => buildSuccess(orderCheckMessages[status]),
    failed: "Failed to check the payment",
  }),
  resolve: createFormIntent({
    schema: z.object({
      orderId: z.string(),
      note: lines.pipe(
        z
          .string()
          .min(3, "Enter how it was resolved")
          .refine(createFieldLengthCheck(maxNoteLength), `At most ${maxNoteLength} characters`),
      ),
    }),
    run: ({ context, value }) =>
      resolveOrder(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("Payment resolved"),
    failed: "Failed to resolve the payment",
  }),
});

type Query = { after: string | null; settle: string | null };

function parsePaymentsQuery(params: URLSearchParams): Query {
  return { after: params.get("after") || null, settle: params.get("settle") || null };
}

function buildPaymentsAddress(query: Query): OwnPath {
  return `/admin/payments${writeQuery(query)}`;
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function OrdersToResolve({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = parsePaymentsQuery(params);
  return (
    <StaffList
      title={title}
      intro="These payments need a decision. Check each one in PayU, then resolve it here."
      loaded={loaderData}
      columns={buildPaymentColumns(query)}
      rowKey={({ orderId }) => orderId}
      empty={{ title: "No payments need a decision", drawing: "inbox" }}
      after={query.after}
      address={(after) => buildPaymentsAddress({ after, settle: null })}
    >
      <ResolveDialog
        order={loaderData.rows.find(({ orderId }) => orderId === query.settle) ?? null}
        closed={buildPaymentsAddress({ ...query, settle: null })}
      />
    </StaffList>
  );
}

function buildPaymentColumns(query: Query): Column<PaymentRow>[] {
  return [
    ...paymentColumns,
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ orderId }) => <PaymentActions orderId={orderId} query={query} />,
    },
  ];
}

function PaymentActions({ orderId, query }: { orderId: string; query: Query }) {
  const fetcher = useFetcher();
  return (
    <div className={`${listsStyles.rowActions} ${listsStyles.stacked}`}>
      <fetcher.Form method="post" preventScrollReset>
        <input type="hidden" name="orderId" value={orderId} />
        <SubmitButton
          intent="ask"
          variant="secondary"
          size="sm"
          className="whitespace-nowrap"
          pending={fetcher.state !== "idle"}
          pendingLabel="Checking..."
        >
          Check again <span className="sr-only">{orderId}</span>
        </SubmitButton>
      </fetcher.Form>
      <Link
        to={buildPaymentsAddress({ ...query, settle: orderId })}
        className={`${buttonStyles.button} ${buttonStyles.ghost} ${buttonStyles.sm} whitespace-nowrap`}
        replace
        preventScrollReset
      >
        Resolve <span className="sr-only">{orderId}</span>
      </Link>
    </div>
  );
}

/** Asks how a payment was resolved before removing it from the list. */
function ResolveDialog({ order, closed }: { order: PaymentRow | null; closed: OwnAddress }) {
  return (
    <FormDialog
      open={order !== null}
      title="Resolve payment"
      closed={closed}
      intent="resolve"
      submitLabel="Resolve"
      pendingLabel="Saving..."
    >
      {({ errors, values }) =>
        order && (
          <>
            <p className="mb-4">
              {order.amount} from {order.buyer}: {order.why}
            </p>
            <input type="hidden" name="orderId" value={order.orderId} />
            <TextAreaField
              label="Resolution"
              name="note"
              rows={3}
              maxLength={maxNoteLength}
              defaultValue={values?.note}
              error={errors?.note}
              hint="Saved in the audit log. The order doesn't change."
            />
          </>
        )
      }
    </FormDialog>
  );
}
