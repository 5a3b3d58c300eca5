import { getSignedInActor } from "../../accounts/actor.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatMonthOfYear, formatShortDate, now } from "../../platform/clock.ts";
import { countNoun } from "../../platform/count-noun.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { Fact, transactionColumn } from "../parts.tsx";
import type { Route } from "./+types/month.screen.ts";
import { getMonthAccounts, type MonthAccounts } from "./month-accounts.server.ts";
import { getMonthAway, type Month, parseMonth } from "../../platform/months.ts";
import * as figuresStyles from "../figures.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";

const title = "Accounts";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const month = parseMonth(url.searchParams.get("month"));
  const accounts = await getMonthAccounts(db, getSignedInActor(context), month);
  return toAccountsView(month, accounts);
}

function toAccountsView(month: Month, accounts: MonthAccounts) {
  const { byOrderPaise, byDocumentPaise, lines, differing, charges } = accounts;
  const next = getMonthAway(month, 1);
  return {
    month: toMonthView(month),
    previous: toMonthView(getMonthAway(month, -1)),
    next: next.start <= now() ? toMonthView(next) : null,
    byOrder: formatRupees(byOrderPaise),
    byDocument: formatRupees(byDocumentPaise),
    difference: formatRupees(byDocumentPaise - byOrderPaise),
    charges: formatMonthCharges(charges),
    documents: `${countNoun(accounts.invoices, "invoice")}, ${countNoun(accounts.creditNotes, "credit note")}`,
    notShown: differing - lines.length,
    lines: lines.map((line) => ({
      orderId: line.orderId,
      why: formatLineReason(line),
      byOrder: formatRupees(line.byOrderPaise),
      byDocument: formatRupees(line.byDocumentPaise),
    })),
  };
}

function toMonthView({ key, start }: Month) {
  return { key, name: formatMonthOfYear(start) };
}

function formatMonthCharges({
  paise,
  withCharges,
  withoutCharges,
}: MonthAccounts["charges"]): string {
  const rest =
    withoutCharges > 0 ? `Not reported for ${countNoun(withoutCharges, "payment")}.` : "";
  if (withCharges === 0) return rest || "No payments";
  return `${formatRupees(paise)} for ${countNoun(withCharges, "payment")}. ${rest}`.trim();
}

function formatLineReason({
  startedAt,
  paidAt,
  refundedAt,
  invoice,
  creditNote,
}: MonthAccounts["lines"][number]): string {
  const steps = [
    `Started ${formatShortDate(startedAt)}`,
    `${invoice ? `invoice ${invoice}` : "paid"} ${formatShortDate(paidAt)}`,
  ];
  if (refundedAt) {
    steps.push(
      `${creditNote ? `credit note ${creditNote}` : "refunded"} ${formatShortDate(refundedAt)}`,
    );
  }
  return `${steps.join(", ")}.`;
}

export default function MonthScreen({ loaderData }: Route.ComponentProps) {
  const { month, previous, next, lines, notShown } = loaderData;
  return (
    <Page
      back={<BackLink to="/admin/orders">Orders</BackLink>}
      title={`${title}: ${month.name}`}
      intro="Months and days are in IST. Amounts are less refunds."
      actions={
        <ButtonLink
          to={`/admin/orders/month.csv?month=${month.key}`}
          variant="secondary"
          reloadDocument
        >
          <Icon name="download" />
          Download invoices (CSV)
        </ButtonLink>
      }
    >
      <nav className="row mb-4" aria-label="Months">
        <Link to={buildMonthPath(previous.key)}>{previous.name}</Link>
        {next && <Link to={buildMonthPath(next.key)}>{next.name}</Link>}
      </nav>
      <Card>
        <dl className={factsStyles.facts}>
          <Fact name="By order">
            {loaderData.byOrder}, for orders that started in this month. This is the revenue of the
            overview.
          </Fact>
          <Fact name="By document">
            {loaderData.byDocument}, for what was invoiced or paid, and credited or refunded, in
            this month.
          </Fact>
          <Fact name="Difference">{loaderData.difference}</Fact>
          <Fact name="Documents">{loaderData.documents}</Fact>
          <Fact name="PayU's charges to buyers">{loaderData.charges}</Fact>
        </dl>
        <p className="mt-4 text-ink-soft">
          PayU takes its own fees from the money that it sends to your bank, and doesn&apos;t report
          them here. Its settlement report has them.
        </p>
      </Card>
      <section className={figuresStyles.attention} aria-labelledby="difference">
        <h2 id="difference">Orders that make the difference</h2>
        {lines.length === 0 ? (
          <p>None. Everything was paid and refunded in the month of its order.</p>
        ) : (
          <Table
            caption="Orders that make the difference"
            columns={columns}
            rows={lines}
            rowKey={({ orderId }) => orderId}
          />
        )}
        {notShown > 0 && <p>{countNoun(notShown, "more order")} not shown.</p>}
      </section>
    </Page>
  );
}

function buildMonthPath(key: string): OwnPath {
  return `/admin/orders/month?month=${key}`;
}

type Line = Route.ComponentProps["loaderData"]["lines"][number];

const columns: Column<Line>[] = [
  transactionColumn,
  { header: "By order", align: "end", cell: ({ byOrder }) => byOrder },
  { header: "By document", align: "end", cell: ({ byDocument }) => byDocument },
  { header: "Why", wide: true, cell: ({ why }) => why },
];
