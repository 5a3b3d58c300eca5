import type { ReactNode } from "react";
import type { Dependency } from "../platform/metrics.server.ts";
import { type Column, Table } from "../ui/list/table.tsx";
import { Link } from "../ui/link.tsx";
import type { Overview } from "./overview.server.ts";

/** A name and a value in a list of facts; nothing where there is no value. */
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
        id="payments-to-look-into"
        title="Payments to look into"
        about={
          <>
            Time alone does not settle these. Look at each in the provider&apos;s dashboard, then{" "}
            <Link to="/admin/payments">settle them here</Link>.
          </>
        }
        columns={paymentColumns}
        rowKey={({ orderId }) => orderId}
        {...payments}
      />
      <AttentionList
        id="undelivered-mail"
        title="Mail that has not arrived"
        about={
          <>
            Of the last 7 days: given up, or still tried again.{" "}
            <Link to="/admin/mail">Send them again or call them off</Link>
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
      title="What does not work at the moment"
      about="As the process saw it that answered you. What waits for it is tried again by itself."
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

const failingColumns: Column<Attention["failing"][number]>[] = [
  { header: "What", cell: ({ dependency }) => dependencies[dependency] },
  { header: "Since", cell: ({ since }) => <span className="md:whitespace-nowrap">{since}</span> },
  { header: "Why", wide: true, cell: ({ why }) => why },
];

/** An order by its transaction, which leads to all that is known of it. */
export const transactionColumn: Column<{ orderId: string }> = {
  header: "Transaction",
  wide: true,
  cell: ({ orderId }) => (
    <Link to={`/admin/orders/${encodeURIComponent(orderId)}`} className="address">
      <code className="text-xs">{orderId}</code>
    </Link>
  ),
};

/** The columns with the amount of an order and its start. */
export const amountColumns: Column<{ amount: string; begun: string }>[] = [
  { header: "Amount", cell: ({ amount }) => amount },
  { header: "Begun", cell: ({ begun }) => <span className="md:whitespace-nowrap">{begun}</span> },
];

/** The columns of payments that need attention, here and in their own list. */
export const paymentColumns: Column<PaymentRow>[] = [
  transactionColumn,
  {
    header: "Person",
    wide: true,
    cell: ({ buyerId, buyer }) =>
      buyerId ? (
        <Link to={`/admin/users/${buyerId}`} className="address">
          {buyer}
        </Link>
      ) : (
        buyer
      ),
  },
  ...amountColumns,
  { header: "Why", wide: true, cell: ({ why }) => why },
];

const mailColumns: Column<Attention["mails"]["rows"][number]>[] = [
  {
    header: "To",
    wide: true,
    cell: ({ recipient }) => <span className="address">{recipient}</span>,
  },
  { header: "Subject", wide: true, cell: ({ subject }) => subject },
  {
    header: "Written",
    cell: ({ queued }) => <span className="md:whitespace-nowrap">{queued}</span>,
  },
  { header: "Why", wide: true, cell: ({ why }) => why },
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
    <section className="attention" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p className="text-ink-soft">{about}</p>
      <Table caption={title} columns={columns} rows={rows} rowKey={rowKey} />
      {total > rows.length && (
        <p className="text-ink-soft">
          The newest {rows.length} of {total}.
        </p>
      )}
    </section>
  );
}
