import { data, Form, useSearchParams } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import type { RefundState } from "../../payments/refund-rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { runCommand, withFallback } from "../../platform/forms.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useProblemToasts } from "../../ui/feedback/problem-toasts.ts";
import { Button } from "../../ui/form/button.tsx";
import { FormAlert, SelectField } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { longestSearch } from "../../ui/list/search.ts";
import { type Column, Pager, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { listPaymentsToLookInto, toOrderRow } from "../overview.server.ts";
import { amountColumns, paymentColumns, type PaymentRow, transactionColumn } from "../parts.tsx";
import type { Route } from "./+types/orders.screen.ts";
import {
  orderFilters,
  type orderBadges,
  buildOrdersAddress,
  type OrdersQuery,
  parseOrdersQuery,
} from "./order-copy.ts";
import { OrderState } from "./order-parts.tsx";
import { listOrders } from "./read-orders.server.ts";

const title = "Orders";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const query = parseOrdersQuery(new URL(request.url).searchParams);
  const isUnfiltered = !query.search && !query.state && !query.after;
  const noPayments = { orders: [], total: 0 };
  const [result, unsettled] = await Promise.all([
    runCommand(context, () => listOrders(db, actor, query), {
      fallback: "Failed to load the orders",
    }),
    isUnfiltered
      ? withFallback(context, () => listPaymentsToLookInto(db, actor), noPayments)
      : noPayments,
  ]);
  const lookInto = {
    total: unsettled.total,
    rows: unsettled.orders.map((order) => toOrderRow(order)),
  };
  const emptyPage = { rows: [], previous: null, next: null };
  if (!result.ok) return data({ problem: result.message, lookInto, ...emptyPage }, { status: 500 });
  const { rows, ...cursors } = result.value;
  return data({
    ...cursors,
    problem: null,
    lookInto,
    rows: rows.map(toOrderRow),
  });
}

export default function Orders({ loaderData }: Route.ComponentProps) {
  const { problem, lookInto, rows, ...cursors } = loaderData;
  const [params] = useSearchParams();
  const query = parseOrdersQuery(params);
  useProblemToasts(loaderData, problem);
  return (
    <Page title={title} actions={<OrderSearch key={buildOrdersAddress(query)} query={query} />}>
      <FormAlert>{problem}</FormAlert>
      <PaymentsToLookIntoList {...lookInto} />
      {rows.length > 0 ? (
        <section className="attention" aria-label="All orders">
          {lookInto.rows.length > 0 && <h2>All orders</h2>}
          <Table caption={title} columns={columns} rows={rows} rowKey={({ orderId }) => orderId} />
        </section>
      ) : (
        !problem && <NoOrders query={query} />
      )}
      <Pager
        {...cursors}
        shown={rows.length}
        after={query.after}
        address={(after) => buildOrdersAddress({ ...query, after })}
      />
    </Page>
  );
}

/** Orders that need a decision, listed first until they are resolved. */
function PaymentsToLookIntoList({ rows, total }: { rows: PaymentRow[]; total: number }) {
  if (rows.length === 0) return null;
  return (
    <section className="attention" aria-labelledby="look-into">
      <h2 id="look-into">Payments to resolve</h2>
      <p className="text-ink-soft">
        These payments need a decision. Open an order for its options, or{" "}
        <Link to="/admin/payments">
          {total > rows.length ? `see all ${total}` : "resolve them here"}
        </Link>
        .
      </p>
      <Table
        caption="Payments to resolve"
        columns={paymentColumns}
        rows={rows}
        rowKey={({ orderId }) => orderId}
      />
    </section>
  );
}

function NoOrders({ query: { search, state } }: { query: OrdersQuery }) {
  return search || state ? (
    <EmptyState title="No orders match your search" drawing="search" />
  ) : (
    <EmptyState title="No orders yet" drawing="table" />
  );
}

function OrderSearch({ query: { search, state } }: { query: OrdersQuery }) {
  return (
    <search aria-label="Orders">
      <Form className="list-filters">
        <input
          type="search"
          name="search"
          className="input"
          aria-label="Search orders"
          placeholder="Transaction or person"
          maxLength={longestSearch}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          defaultValue={search}
        />
        <SelectField
          label={<span className="sr-only">State</span>}
          name="state"
          defaultValue={state ?? ""}
          options={[
            { value: "", label: "All states" },
            ...Object.entries(orderFilters).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
    </search>
  );
}

type OrderRow = {
  orderId: string;
  buyerId: string | null;
  buyer: string | null;
  amount: string;
  started: string;
  status: keyof typeof orderBadges;
  refund: RefundState | null;
};

const columns: Column<OrderRow>[] = [
  transactionColumn,
  {
    header: "Customer",
    wide: true,
    cell: ({ buyerId, buyer }) =>
      buyerId ? (
        <Link to={`/admin/users/${buyerId}`}>{buyer ?? "Unknown"}</Link>
      ) : (
        "Deleted account"
      ),
  },
  ...amountColumns,
  { header: "State", wide: true, cell: (order) => <OrderState {...order} /> },
];
