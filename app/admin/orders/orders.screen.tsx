import { data, Form, useSearchParams } from "react-router";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { withFallback } from "../../platform/forms.server.ts";
import { Button, ButtonLink } from "../../ui/form/button.tsx";
import { SelectField } from "../../ui/form/field.tsx";
import { maxSearchLength } from "../../ui/list/search.ts";
import { loadList } from "../../ui/list/load-list.server.ts";
import { StaffList } from "../../ui/list/staff-list.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { listNewestOrdersToResolve, toOrderRow } from "../overview.server.ts";
import { amountColumns, paymentColumns, type PaymentRow, transactionColumn } from "../parts.tsx";
import type { Route } from "./+types/orders.screen.ts";
import {
  orderFilters,
  buildOrdersAddress,
  type OrdersQuery,
  parseOrdersQuery,
} from "./order-copy.ts";
import { OrderState } from "./order-parts.tsx";
import { listOrders } from "./read-orders.server.ts";
import * as figuresStyles from "../figures.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

const title = "Orders";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const query = parseOrdersQuery(new URL(request.url).searchParams);
  const isUnfiltered = !query.search && !query.state && !query.after;
  const noPayments = { orders: [], total: 0 };
  const [list, { orders, total }] = await Promise.all([
    loadList(
      context,
      async () => {
        const { rows, ...cursors } = await listOrders(db, actor, query);
        return { ...cursors, rows: rows.map(toOrderRow) };
      },
      { fallback: "Failed to load the orders", none: {} },
    ),
    isUnfiltered
      ? withFallback(context, () => listNewestOrdersToResolve(db, actor), noPayments)
      : noPayments,
  ]);
  const toResolve = { total, rows: orders.map((order) => toOrderRow(order)) };
  return data({ ...list.data, toResolve }, list.init ?? undefined);
}

export default function Orders({ loaderData }: Route.ComponentProps) {
  const { toResolve } = loaderData;
  const [params] = useSearchParams();
  const query = parseOrdersQuery(params);
  return (
    <StaffList
      title={title}
      actions={
        <>
          <ButtonLink to="/admin/orders/month" variant="secondary">
            Accounts by month
          </ButtonLink>
          <OrderSearch key={buildOrdersAddress(query)} query={query} />
        </>
      }
      loaded={loaderData}
      columns={columns}
      rowKey={({ orderId }) => orderId}
      renderTable={(table) => (
        <section className={figuresStyles.attention} aria-label="All orders">
          {toResolve.rows.length > 0 && <h2>All orders</h2>}
          {table}
        </section>
      )}
      empty={
        query.search || query.state
          ? { title: "No orders match your search", drawing: "search" }
          : { title: "No orders yet", drawing: "table" }
      }
      after={query.after}
      address={(after) => buildOrdersAddress({ ...query, after })}
    >
      <OrdersToResolveList {...toResolve} />
    </StaffList>
  );
}

/** Orders that need a decision, listed first until they are resolved. */
function OrdersToResolveList({ rows, total }: { rows: PaymentRow[]; total: number }) {
  if (rows.length === 0) return null;
  return (
    <section className={figuresStyles.attention} aria-labelledby="orders-to-resolve">
      <h2 id="orders-to-resolve">Payments to resolve</h2>
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

function OrderSearch({ query: { search, state } }: { query: OrdersQuery }) {
  return (
    <search aria-label="Orders">
      <Form className={listsStyles.filters}>
        <input
          type="search"
          name="search"
          className={fieldStyles.input}
          aria-label="Search orders"
          placeholder="Transaction or person"
          maxLength={maxSearchLength}
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

type OrderRow = Route.ComponentProps["loaderData"]["rows"][number];

const columns: Column<OrderRow>[] = [
  transactionColumn,
  {
    header: "Customer",
    wide: true,
    bare: true,
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
