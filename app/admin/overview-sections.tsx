import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Column, Table } from "../ui/list/table.tsx";
import type { Dependency } from "../platform/metrics.server.ts";
import { day } from "../platform/clock.ts";
import { overdueFirst } from "../reviews/assign/reviews-query.ts";
import type { ServiceFigures } from "../reviews/clock/due-dates.ts";
import type { DueCounts } from "../reviews/clock/due-dates.server.ts";
import { figuresFor } from "../reviews/rating/rules.ts";
import type { RevenueChange } from "./revenue.server.ts";

/** Null where a figure could not be read. */
export type Figures = {
  users: number | null;
  reviews: number | null;
  jobs: number | null;
  revenue: string | null;
  /** What was given back of it; null for nothing. */
  refunded: string | null;
  /** Null when nothing has changed. */
  change: RevenueChange | null;
};

/** The four numbers of the product; each leads to what it counts. Null while they are on their way. */
export function OverviewCards({ figures }: { figures: Figures | null }) {
  return (
    <ul className="figures">
      <Figure
        label="Total Users"
        to="/admin/users"
        value={figures && counted(figures.users)}
        about="User accounts in the platform"
      />
      <Figure
        label="Active Reviews"
        to="/admin/reviews"
        value={figures && counted(figures.reviews)}
        about="Currently assigned reviews"
      />
      <Figure
        label="Active Jobs"
        to="/admin/jobs"
        value={figures && counted(figures.jobs)}
        about="Published job listings"
      />
      <Figure
        label="Revenue"
        to="/admin/orders"
        value={figures && (figures.revenue ?? "–")}
        about={
          figures?.revenue ? (
            <>
              <Change change={figures.change} />
              {figures.refunded && <span className="block">After {figures.refunded} refunded</span>}
            </>
          ) : null
        }
      />
    </ul>
  );
}

function counted(count: number | null): string {
  return count === null ? "–" : count.toLocaleString("en-IN");
}

function Figure({
  level = 2,
  label,
  to,
  value,
  about,
}: {
  level?: 2 | 3;
  label: string;
  to?: string;
  value: string | null;
  about: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <li className="figure">
      <Heading>{to ? <Link to={to}>{label}</Link> : label}</Heading>
      <p className="figure-value" aria-busy={value === null || undefined}>
        {value ?? "Loading..."}
      </p>
      <p className="figure-about">{about}</p>
    </li>
  );
}

function Change({ change }: { change: RevenueChange | null }) {
  if (!change) return "No change from last month";
  const [amount, ...rest] = change.words.split(" ");
  return (
    <>
      <strong className={change.direction === "up" ? "text-success" : "text-danger"}>
        {amount}
      </strong>{" "}
      {rest.join(" ")}
    </>
  );
}

/** By when reviews were promised: what came on time lately, and what is due and overdue. Null was not read. */
export function DueDates({
  due,
  service,
}: {
  due: DueCounts | null;
  service: ServiceFigures | null;
}) {
  return (
    <section className="due-dates" aria-labelledby="due-dates">
      <h2 id="due-dates">Due dates</h2>
      <ul className="figures">
        <Figure
          level={3}
          label="On time"
          value={(service && shareOf(service)) ?? "–"}
          about={service && onTimeCopy(service)}
        />
        <DueFigure label="Due today" about="From now on, until midnight" counts={due?.today} />
        <DueFigure label="Overdue" about="Not completed in time" counts={due?.overdue} />
      </ul>
    </section>
  );
}

function shareOf({ completed, onTime }: ServiceFigures): string | null {
  return completed === 0 ? null : `${Math.round((onTime / completed) * 100)}%`;
}

function onTimeCopy({ completed, onTime }: ServiceFigures): string {
  const days = figuresFor / day;
  return completed === 0
    ? `Nothing with a due date was completed in the last ${days} days`
    : `${counted(onTime)} of ${counted(completed)} completed in the last ${days} days`;
}

/** Leads to each of the two lists that what is counted stands in, sorted so that it comes first. */
function DueFigure({
  label,
  about,
  counts,
}: {
  label: string;
  about: string;
  counts: DueCounts["today"] | undefined;
}) {
  return (
    <Figure
      level={3}
      label={label}
      value={counts ? counted(counts.pending + counts.assigned) : "–"}
      about={
        <>
          {about}
          {counts && (
            <span className="figure-ways">
              <Link to={`/admin/reviews?sort=${overdueFirst.value}`}>
                {counted(counts.pending)} pending
                <span className="sr-only">, {label.toLowerCase()}</span>
              </Link>
              <Link to={`/admin/reviews/assigned?sort=${overdueFirst.value}`}>
                {counted(counts.assigned)} assigned
                <span className="sr-only">, {label.toLowerCase()}</span>
              </Link>
            </span>
          )}
        </>
      }
    />
  );
}

/** What a god admin has to look into; a list is there only when something is in it. */
export type Attention = {
  failing: FailingRow[];
  payments: { rows: PaymentRow[]; total: number };
  mails: { rows: MailRow[]; total: number };
};

type FailingRow = { dependency: Dependency; since: string; why: string };
export type PaymentRow = {
  orderId: string;
  buyerId: string | null;
  buyer: string;
  amount: string;
  begun: string;
  why: string;
};
type MailRow = { id: string; recipient: string; subject: string; queued: string; why: string };

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

/** What failed when this process used it last; nothing while all works. */
export function FailingList({ rows }: { rows: FailingRow[] }) {
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

const failingColumns: Column<FailingRow>[] = [
  { header: "What", cell: ({ dependency }) => dependencies[dependency] },
  { header: "Since", cell: ({ since }) => <span className="md:whitespace-nowrap">{since}</span> },
  { header: "Why", wide: true, cell: ({ why }) => why },
];

/** What admins see of each payment to look into, here and where they do. */
export const paymentColumns: Column<PaymentRow>[] = [
  {
    header: "Transaction",
    wide: true,
    cell: ({ orderId }) => (
      <Link to={`/admin/orders/${encodeURIComponent(orderId)}`}>
        <code className="text-xs wrap-anywhere">{orderId}</code>
      </Link>
    ),
  },
  {
    header: "Person",
    wide: true,
    cell: ({ buyerId, buyer }) =>
      buyerId ? <Link to={`/admin/users/${buyerId}`}>{buyer}</Link> : buyer,
  },
  { header: "Amount", cell: ({ amount }) => amount },
  { header: "Begun", cell: ({ begun }) => <span className="md:whitespace-nowrap">{begun}</span> },
  { header: "Why", wide: true, cell: ({ why }) => why },
];

const mailColumns: Column<MailRow>[] = [
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
