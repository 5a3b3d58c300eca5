import { Fragment } from "react";
import { formatRupees } from "../../payments/money.ts";
import { formatMonthOfYear, formatShortDate, getDayStart, now } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { getMonthAway, type Month } from "../../platform/months.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Link } from "../../ui/link.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import type { Earnings } from "./earnings.server.ts";
import { formatLineLabel, formatPayout } from "./statement.ts";
import * as styles from "../../ui/layout/facts.module.css";

/** Formats a month's name, and those beside it; `next` is null for the current month. */
export function toMonthsView(month: Month) {
  const toView = ({ key, start }: Month) => ({ key, name: formatMonthOfYear(start) });
  const next = getMonthAway(month, 1);
  return {
    ...toView(month),
    previous: toView(getMonthAway(month, -1)),
    next: next.start <= now() ? toView(next) : null,
  };
}

type MonthsView = ReturnType<typeof toMonthsView>;

/** Links to the months beside the shown one. */
export function MonthLinks({ previous, next }: MonthsView) {
  return (
    <nav className="row mb-4" aria-label="Months">
      <Link to={`?month=${previous.key}`}>{previous.name}</Link>
      {next && <Link to={`?month=${next.key}`}>{next.name}</Link>}
    </nav>
  );
}

/** The addresses of an earnings page. */
type Addresses = {
  month(key: string): OwnPath;
  review(id: string): OwnPath;
  /** The address that asks to take back the fee of a review; null if that isn't possible. */
  takeBack?(reviewId: string): OwnPath | null;
};

/** Formats earnings, with dates in the product's time zone. */
export function toEarningsView({ month, lines, months, years }: Earnings, addresses: Addresses) {
  const fees = `${formatRupees(month.paise)}, ${countNoun(month.reviews, "review")}`;
  const carried = { name: "Carried over", value: formatRupees(month.carriedPaise) };
  return {
    sums: [
      { name: "Fees", value: fees },
      ...(month.carriedPaise === 0 ? [] : [carried]),
      { name: "Due", value: formatRupees(month.duePaise) },
      { name: "State", value: formatPayout(month) },
    ],
    lines: lines.map((line) => ({
      key: `${line.reviewId} ${line.paise}`,
      reviewId: line.reviewId,
      to: addresses.review(line.reviewId),
      date: formatShortDate(line.at),
      label: formatLineLabel(line),
      amount: formatRupees(line.paise),
      takeBack: (line.reason === null && addresses.takeBack?.(line.reviewId)) || null,
    })),
    months: months.map((one) => ({
      to: addresses.month(one.month),
      name: formatMonthOfYear(getDayStart(`${one.month}-01`)),
      fees: formatRupees(one.paise),
      due: formatRupees(one.duePaise),
      state: formatPayout(one),
    })),
    years: years.map(({ year, feesPaise, paidPaise }) => ({
      year: year.replace("-", "–"),
      fees: formatRupees(feesPaise),
      paid: formatRupees(paidPaise),
    })),
  };
}

type EarningsView = ReturnType<typeof toEarningsView>;

/** The sums of a month. */
export function MonthSums({ sums }: Pick<EarningsView, "sums">) {
  return (
    <dl className={styles.facts}>
      {sums.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

const feeColumns: Column<EarningsView["lines"][number]>[] = [
  { header: "Date", cell: ({ date }) => <span className="whitespace-nowrap">{date}</span> },
  { header: "Review", phone: 1, cell: ({ to, label }) => <Link to={to}>{label}</Link> },
  {
    header: "Fee",
    align: "end",
    cell: ({ amount, takeBack }) => (
      <>
        {amount}
        {takeBack && (
          <>
            {" "}
            <Link to={takeBack} preventScrollReset>
              Take back<span className="sr-only"> the fee of this refunded review</span>
            </Link>
          </>
        )}
      </>
    ),
  },
];

/** The fees of a month, each with its review. */
export function FeeTable({ lines }: Pick<EarningsView, "lines">) {
  const caption = "Fees of the month";
  return <Table caption={caption} columns={feeColumns} rows={lines} rowKey={({ key }) => key} />;
}

const monthColumns: Column<EarningsView["months"][number]>[] = [
  { header: "Month", phone: 1, cell: ({ to, name }) => <Link to={to}>{name}</Link> },
  { header: "Fees", align: "end", cell: ({ fees }) => fees },
  { header: "Due", align: "end", cell: ({ due }) => due },
  { header: "State", wide: true, cell: ({ state }) => state },
];

const yearColumns: Column<EarningsView["years"][number]>[] = [
  { header: "April to March", phone: 1, cell: ({ year }) => year },
  { header: "Fees", align: "end", cell: ({ fees }) => fees },
  { header: "Paid", align: "end", cell: ({ paid }) => paid },
];

/** All months with fees, and a line for each financial year. */
export function MonthAndYearTables({ months, years }: Pick<EarningsView, "months" | "years">) {
  if (months.length === 0) return null;
  return (
    <>
      <section aria-labelledby="months">
        <h2 id="months">Months</h2>
        <Table caption="Months" columns={monthColumns} rows={months} rowKey={({ to }) => to} />
      </section>
      <section aria-labelledby="years">
        <h2 id="years">Financial years</h2>
        <Table
          caption="Financial years"
          columns={yearColumns}
          rows={years}
          rowKey={({ year }) => year}
        />
      </section>
    </>
  );
}
