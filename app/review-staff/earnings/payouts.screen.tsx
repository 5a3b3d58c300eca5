import { getSignedInActor } from "../../accounts/actor.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { now } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Month } from "../../platform/months.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/payouts.screen.ts";
import { MonthLinks, toMonthsView } from "./earnings-parts.tsx";
import { isOver, parsePayoutMonth } from "./fees.ts";
import { listPayeeMonths, type PayeeMonth } from "./payouts.server.ts";
import { formatPayout } from "./statement.ts";

const title = "Payouts";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  if (!config.reviewFees) throw new NotFound();
  const month = parsePayoutMonth(url.searchParams.get("month"));
  const rows = await listPayeeMonths(db, getSignedInActor(context), month);
  const unpaid = rows.filter(({ payout }) => !payout);
  return {
    month: toMonthsView(month),
    isPayable: isOver(month, now()),
    due: formatRupees(unpaid.reduce((sum, { duePaise }) => sum + duePaise, 0)),
    paid: formatRupees(rows.reduce((sum, { payout }) => sum + (payout?.paise ?? 0), 0)),
    rows: rows.map((row) => toPayoutRow(row, month)),
  };
}

function toPayoutRow({ payee, ...row }: PayeeMonth, { key }: Month) {
  const { reviews, paise, carriedPaise, duePaise } = row;
  const to: OwnPath = `/admin/payouts/${payee.id}?month=${key}`;
  return {
    to,
    name: payee.name ?? "Closed account",
    reviews: countNoun(reviews, "review"),
    fees: formatRupees(paise),
    carried: carriedPaise === 0 ? "–" : formatRupees(carriedPaise),
    due: formatRupees(duePaise),
    state: formatPayout(row),
  };
}

export default function Payouts({ loaderData }: Route.ComponentProps) {
  const { month, isPayable, due, paid, rows } = loaderData;
  return (
    <Page
      back={<BackLink to="/admin/reviewers">Reviewers</BackLink>}
      title={`${title}: ${month.name}`}
      intro={
        isPayable
          ? `${due} unpaid, ${paid} paid. After a transfer, open the reviewer and record it.`
          : `${due} so far. A month can be paid when it is over, in IST.`
      }
      actions={
        isPayable && (
          <ButtonLink
            to={`/admin/payouts.csv?month=${month.key}`}
            variant="secondary"
            reloadDocument
          >
            <Icon name="download" />
            Download for the bank (CSV)
          </ButtonLink>
        )
      }
    >
      <MonthLinks {...month} />
      {rows.length > 0 ? (
        <Table caption={title} columns={columns} rows={rows} rowKey={({ to }) => to} />
      ) : (
        <EmptyState title="No fees in this month" drawing="inbox">
          A reviewer appears here after submitting a review.
        </EmptyState>
      )}
    </Page>
  );
}

const columns: Column<ReturnType<typeof toPayoutRow>>[] = [
  { header: "Reviewer", phone: 1, cell: ({ to, name }) => <Link to={to}>{name}</Link> },
  { header: "Reviews", cell: ({ reviews }) => reviews },
  { header: "Fees", align: "end", cell: ({ fees }) => fees },
  { header: "Carried over", align: "end", cell: ({ carried }) => carried },
  { header: "Due", align: "end", cell: ({ due }) => <strong>{due}</strong> },
  { header: "State", wide: true, cell: ({ state }) => state },
];
