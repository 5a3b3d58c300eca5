import { useFetcher, useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { payments } from "../../payments/payments.server.ts";
import {
  checkUnsettledOrder,
  closeUnsettledOrder,
  listUnsettledOrderPage,
} from "../../payments/unsettled/unsettled-orders.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { createFormActions, createFormIntent, buildSuccess } from "../../platform/forms.server.ts";
import { writeQuery } from "../../platform/lists.ts";
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
import type { Route } from "./+types/payments-to-look-into.screen.ts";
import { orderCheckMessages } from "./order-copy.ts";

const title = "Payments to look into";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { after } = parsePaymentsQuery(new URL(request.url).searchParams);
  const { db } = context.get(appContext);
  return loadList(
    context,
    async () => {
      const page = await listUnsettledOrderPage(db, getSignedInActor(context), after);
      return { ...page, rows: page.rows.map(toOrderRow) };
    },
    { fallback: "Failed to load the payments", none: {} },
  );
}

const longestNote = 500;

export const action = createFormActions({
  ask: createFormIntent({
    schema: z.object({ orderId: z.string() }),
    run: ({ context, value: { orderId } }) =>
      checkUnsettledOrder(
        context.get(appContext),
        context.get(payments),
        getSignedInActor(context),
        orderId,
      ),
    done: ({ status }) => buildSuccess(orderCheckMessages[status]),
    failed: "Failed to ask about the payment",
  }),
  "look-into": createFormIntent({
    schema: z.object({
      orderId: z.string(),
      note: lines.pipe(
        z
          .string()
          .min(3, "Say what came of it: the history keeps it")
          .refine(createFieldLengthCheck(longestNote), `At most ${longestNote} characters`),
      ),
    }),
    run: ({ context, value }) =>
      closeUnsettledOrder(context.get(appContext).db, getSignedInActor(context), value),
    done: () => buildSuccess("The payment is off the list"),
    failed: "Failed to take the payment off the list",
  }),
});

type Query = { after: string | null; settle: string | null };

function parsePaymentsQuery(params: URLSearchParams): Query {
  return { after: params.get("after") || null, settle: params.get("settle") || null };
}

function buildPaymentsAddress(query: Query): string {
  return `/admin/payments${writeQuery(query)}`;
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function PaymentsToLookInto({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const query = parsePaymentsQuery(params);
  return (
    <StaffList
      title={title}
      intro="Time alone does not settle these. Look at each in the provider's dashboard."
      loaded={loaderData}
      columns={buildPaymentColumns(query)}
      rowKey={({ orderId }) => orderId}
      empty={{ title: "Every payment is settled, or will be by itself", drawing: "inbox" }}
      after={query.after}
      address={(after) => buildPaymentsAddress({ after, settle: null })}
    >
      <SettleDialog
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
    <div className="row-actions">
      <fetcher.Form method="post" preventScrollReset>
        <input type="hidden" name="orderId" value={orderId} />
        <SubmitButton
          intent="ask"
          variant="secondary"
          size="sm"
          className="whitespace-nowrap"
          pending={fetcher.state !== "idle"}
          pendingLabel="Asking..."
        >
          Ask again <span className="sr-only">about {orderId}</span>
        </SubmitButton>
      </fetcher.Form>
      <Link
        to={buildPaymentsAddress({ ...query, settle: orderId })}
        className="button button-ghost button-sm whitespace-nowrap"
        replace
        preventScrollReset
      >
        Settled <span className="sr-only">: {orderId}</span>
      </Link>
    </div>
  );
}

/** Asks what came of a payment before it goes off the list. */
function SettleDialog({ order, closed }: { order: PaymentRow | null; closed: string }) {
  return (
    <FormDialog
      open={order !== null}
      title="This payment is settled"
      closed={closed}
      intent="look-into"
      submitLabel="Take off the list"
      pendingLabel="Saving..."
    >
      {({ errors, values }) =>
        order && (
          <>
            <p className="mb-4">
              {order.amount} of {order.buyer}: {order.why}
            </p>
            <input type="hidden" name="orderId" value={order.orderId} />
            <TextAreaField
              label="What came of it"
              name="note"
              rows={3}
              maxLength={longestNote}
              defaultValue={values?.note}
              error={errors?.note}
              hint="The order stays as it is; this stands in the history."
            />
          </>
        )
      }
    </FormDialog>
  );
}
