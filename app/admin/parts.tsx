import type { ReactNode } from "react";
import type { Dependency } from "../platform/metrics.server.ts";
import { type Column, Table } from "../ui/list/table.tsx";
import { Link } from "../ui/link.tsx";
import type { Overview } from "./overview.server.ts";
import * as styles from "./figures.module.css";

/** A name and a value in a list of facts; renders nothing without a value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

type Attention = Overview["attention"];
export type PaymentRow = Attention["payments"]["rows"][number];

/** The lists that need a god admin's attention. Empty ones are not shown. */
export function AttentionLists({
  attention: { failing, payments, mails },
}: {
  attention: Attention;
}) {
  return (
    <>
      <FailingList rows={failing} />
      <AttentionList
        id="orders-to-resolve"
        title="Payments to resolve"
        about={
          <>
            These payments need a decision. Check each one in PayU, then{" "}
            <Link to="/admin/payments">resolve it here</Link>.
          </>
        }
        columns={paymentColumns}
        rowKey={({ orderId }) => orderId}
        {...payments}
      />
      <AttentionList
        id="undelivered-mail"
        title="Undelivered email"
        about={
          <>
            From the last 7 days: failed, or still retrying.{" "}
            <Link to="/admin/mail">Resend or discard</Link>
          </>
        }
        columns={mailColumns}
        rowKey={({ id }) => id}
        {...mails}
      />
    </>
  );
}

/** Services that failed on their last use; nothing while all work. */
export function FailingList({ rows }: { rows: Attention["failing"] }) {
  return (
    <AttentionList
      id="failing"
      title="Failing services"
      about="As seen by the server process that sent you this page. Waiting work is retried automatically."
      columns={failingColumns}
      rowKey={({ dependency }) => dependency}
      rows={rows}
      total={rows.length}
    />
  );
}

const dependencies: Record<Dependency, string> = {
  database: "The database",
  store: "The file store",
  mail: "The mail server",
  payu: "PayU",
};

/** Wide enough for ordinary words, so that only a long one of a provider breaks. */
const reasonColumn: Column<{ why: string }> = {
  header: "Reason",
  wide: true,
  cell: ({ why }) => <span className={`${styles.why} wrap-anywhere`}>{why}</span>,
};

const failingColumns: Column<Attention["failing"][number]>[] = [
  { header: "Service", cell: ({ dependency }) => dependencies[dependency] },
  { header: "Since", cell: ({ since }) => <span className="whitespace-nowrap">{since}</span> },
  reasonColumn,
];

/** The transaction ID of an order, linked to the order's page. */
export const transactionColumn: Column<{ orderId: string }> = {
  header: "Transaction",
  wide: true,
  bare: true,
  cell: ({ orderId }) => (
    <Link to={`/admin/orders/${encodeURIComponent(orderId)}`} className={styles.address}>
      <code className="text-xs">{orderId}</code>
    </Link>
  ),
};

/** The amount of an order and its start. */
export const amountColumns: Column<{ amount: string; started: string }>[] = [
  { header: "Amount", cell: ({ amount }) => amount },
  {
    header: "Started",
    cell: ({ started }) => <span className="whitespace-nowrap">{started}</span>,
  },
];

/** The columns of orders to resolve, shared with their own screen. */
export const paymentColumns: Column<PaymentRow>[] = [
  transactionColumn,
  {
    header: "Customer",
    wide: true,
    bare: true,
    cell: ({ buyerId, buyer }) =>
      buyerId ? (
        <Link to={`/admin/users/${buyerId}`} className={styles.address}>
          {buyer}
        </Link>
      ) : (
        buyer
      ),
  },
  ...amountColumns,
  reasonColumn,
];

const mailColumns: Column<Attention["mails"]["rows"][number]>[] = [
  {
    header: "To",
    wide: true,
    cell: ({ recipient }) => <span className={styles.address}>{recipient}</span>,
  },
  { header: "Subject", wide: true, cell: ({ subject }) => subject },
  {
    header: "Queued",
    cell: ({ queued }) => <span className="whitespace-nowrap">{queued}</span>,
  },
  reasonColumn,
];

function AttentionList<Row>({
  id,
  title,
  about,
  columns,
  rows,
  rowKey,
  total,
}: {
  id: string;
  title: string;
  about: ReactNode;
  columns: Column<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  total: number;
}) {
  if (rows.length === 0) return null;
  return (
    <section className={styles.attention} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="text-ink-soft">{about}</p>
      <Table caption={title} columns={columns} rows={rows} rowKey={rowKey} />
      {total > rows.length && (
        <p className="text-ink-soft">
          Showing the newest {rows.length} of {total}.
        </p>
      )}
    </section>
  );
}
