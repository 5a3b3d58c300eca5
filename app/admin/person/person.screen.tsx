import { useSearchParams } from "react-router";
import { z } from "zod";
import { getSignedInActor } from "../../accounts/actor.server.ts";
import { banUser, changeUserRole, unbanUser } from "../../accounts/bans-and-roles.server.ts";
import { requireRecentSignIn } from "../../accounts/guards.server.ts";
import { sendPasswordReset } from "../../accounts/password-reset/reset-password.server.tsx";
import { staffRoleNames } from "../../accounts/roles.ts";
import { banLengths, maxBanReasonLength } from "../../accounts/rules.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { startExportFor } from "../../own-data/export/export-for-person.server.tsx";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { day, now, formatShortDate, formatShortDateTime } from "../../platform/clock.ts";
import { createFormActions, createFormIntent, buildSuccess } from "../../platform/forms.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { createFieldLengthCheck, line, lines } from "../../platform/text/text-fields.server.ts";
import { toStatusBadge } from "../../reviews/rules.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { decisionReason } from "../../ui/form/decision-reason.server.ts";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { sendFormWithTitles } from "../../ui/feedback/titled-forms.ts";
import { formatEvent, type ListedEvent, listHistory } from "../history.server.ts";
import { orderBadges } from "../orders/order-copy.ts";
import { Fact } from "../parts.tsx";
import type { Route } from "./+types/person.screen.ts";
import { AccessCard, BanDialog, ExportDialog, RevokeDialog, RolesCard } from "./person-parts.tsx";
import {
  listBoughtReviews,
  listUserOrders,
  getPerson,
  toPersonView,
} from "./read-person.server.ts";
import * as figuresStyles from "../figures.module.css";
import * as factsStyles from "../../ui/layout/facts.module.css";

export const middleware = [requireRecentSignIn("forms")];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "User");

export async function loader({ request, params: { userId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const facts = await getPerson(db, actor, userId);
  const [reviews, orders, about, done] = await Promise.all([
    listBoughtReviews(db, actor, userId),
    listUserOrders(db, actor, userId),
    listHistory(db, actor, { type: "user", id: userId, after: null }),
    listHistory(db, actor, { type: null, id: null, by: userId, after: null }),
  ]);
  return {
    ...toPersonView(facts, actor.id),
    restored: await restoreInterruptedForm(context, request),
    reviews: reviews.map(({ id, status, createdAt, ...bought }) => ({
      id,
      status,
      service: getBoughtService(bought).shortLabel,
      bought: formatShortDate(createdAt),
    })),
    orders: orders.map(({ createdAt, amountPaise, ...order }) => ({
      ...order,
      amount: formatRupees(amountPaise),
      started: formatShortDateTime(createdAt),
    })),
    about: about.events.slice(0, maxListed).map((event) => toEventRow(event, null)),
    done: done.events.slice(0, maxListed).map((event) => toEventRow(event, done.names)),
  };
}

/** The number of rows in each list below. */
const maxListed = 10;

function toEventRow({ id, at, actorName, event, subjectId }: ListedEvent, names: Names | null) {
  return {
    id,
    when: formatShortDateTime(at),
    label: formatEvent(event),
    // The subject of an action by this person; the actor of an action on them.
    other: names ? (names[subjectId] ?? subjectId) : actorName,
  };
}

type Names = Record<string, string>;

const failed = {
  "grant-role": "Failed to add the role",
  "revoke-role": "Failed to remove the role",
  ban: "Failed to ban the user",
  unban: "Failed to lift the ban",
  "reset-password": "Failed to send password reset email",
  "export-data": "Failed to start the export",
};

export const clientAction = (args: Route.ClientActionArgs) => sendFormWithTitles(args, failed);

export const action = createFormActions({
  "grant-role": buildRoleIntent("grant", "Role added", failed["grant-role"]),
  "revoke-role": buildRoleIntent("revoke", "Role removed", failed["revoke-role"]),
  ban: createFormIntent({
    schema: z.object({
      days: z.coerce
        .number()
        .refine((days) => banLengths.some((length) => length.days === days), "Choose a ban length"),
      reason: lines.pipe(
        z
          .string()
          .min(5, "Enter a reason. We'll email it to the person.")
          .refine(
            createFieldLengthCheck(maxBanReasonLength),
            `At most ${maxBanReasonLength} characters`,
          ),
      ),
    }),
    run({ context, params, value: { days, reason } }) {
      const { db, config } = context.get(appContext);
      const until = new Date(now().getTime() + days * day);
      return banUser(
        db,
        getSignedInActor(context),
        { userId: getUserId(params), until, reason },
        config,
      );
    },
    done: () => buildSuccess("User banned and signed out everywhere. We'll email them."),
    failed: failed.ban,
  }),
  unban: createFormIntent({
    schema: z.object({}),
    run({ context, params }) {
      const { db, config } = context.get(appContext);
      return unbanUser(db, getSignedInActor(context), getUserId(params), config);
    },
    done: () => buildSuccess("Ban lifted. We'll email them."),
    failed: failed.unban,
  }),
  "reset-password": createFormIntent({
    schema: z.object({}),
    run({ context, params }) {
      const { db, config } = context.get(appContext);
      return sendPasswordReset(db, getSignedInActor(context), getUserId(params), config);
    },
    done: () => buildSuccess("Password reset email sent successfully"),
    failed: failed["reset-password"],
  }),
  "export-data": createFormIntent({
    schema: z.object({
      ticket: line.pipe(z.string().min(1, "Enter the ticket number")),
      reason: decisionReason,
    }),
    run({ context, params, value }) {
      const { db, config } = context.get(appContext);
      const request = { ...value, userId: getUserId(params) };
      return startExportFor(db, getSignedInActor(context), request, config);
    },
    done: () => buildSuccess("Export started. We've emailed the person."),
    failed: failed["export-data"],
  }),
});

function buildRoleIntent(change: "grant" | "revoke", done: string, failed: string) {
  return createFormIntent({
    schema: z.object({ role: z.enum(staffRoleNames) }),
    run: ({ context, params, value: { role } }) =>
      changeUserRole(context.get(appContext).db, getSignedInActor(context), {
        userId: getUserId(params),
        role,
        change,
      }),
    done: () => buildSuccess(done),
    failed,
  });
}

/** Returns the id of the person on this screen. */
function getUserId({ userId }: { userId?: string }): string {
  return userId ?? "";
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function Person({ loaderData }: Route.ComponentProps) {
  const { person, account, sessions, reviews, orders, about, done } = loaderData;
  const [params] = useSearchParams();
  const { id, email, name } = person;
  return (
    <Page
      back={<BackLink to="/admin/users">Back to Users</BackLink>}
      title={name}
      intro={name === email ? undefined : email}
    >
      <div className={figuresStyles.factCards}>
        <Card title="Account">
          <dl className={factsStyles.facts}>
            <Fact name="Phone">{account.phone}</Fact>
            <Fact name="Registered">{account.registered}</Fact>
            <Fact name="Email confirmed">{account.confirmed}</Fact>
            <Fact name="Subscription">{account.subscription}</Fact>
            <Fact name="Reviews bought">{account.bought}</Fact>
            <Fact name="Orders">
              {account.paid} paid, {account.unpaid} unpaid
            </Fact>
            <Fact name="Reviews to do">{person.openReviews}</Fact>
            <Fact name="Reviews done">{account.done}</Fact>
            <Fact name="Shown on the services page">{account.introduction}</Fact>
            <Fact name="Sample use">{account.sample}</Fact>
            <Fact name="Messages">
              <Link
                to={`/admin/messages?${new URLSearchParams({ state: "all", search: email }).toString()}`}
              >
                View messages
              </Link>
            </Fact>
            {person.isConfirmed && (
              <Fact name="Their data">
                <Link to="?export" replace preventScrollReset>
                  Start an export
                </Link>
              </Fact>
            )}
          </dl>
        </Card>
        <RolesCard person={person} />
        <AccessCard person={person} sessions={sessions} />
      </div>
      {/* Placed here because dialogs are cards in the page when scripts are off. */}
      <BanDialog person={person} open={params.has("ban")} restored={loaderData.restored} />
      <ExportDialog person={person} open={params.has("export")} restored={loaderData.restored} />
      <RevokeDialog person={person} role={params.get("revoke")} />
      <NewestList title="Reviews bought" columns={reviewColumns} rows={reviews} rowKey={getRowId} />
      <NewestList
        title="Orders"
        columns={orderColumns}
        rows={orders}
        rowKey={({ orderId }) => orderId}
      />
      <NewestList
        title="Changes to this account"
        columns={buildEventColumns("By")}
        rows={about}
        rowKey={getRowId}
        all={`/admin/history?type=user&id=${id}`}
      />
      <NewestList
        title="Actions by this user"
        columns={buildEventColumns("Subject")}
        rows={done}
        rowKey={getRowId}
        all={`/admin/history?by=${id}`}
      />
    </Page>
  );
}

const getRowId = ({ id }: { id: string }) => id;

/** The newest rows of a list; renders nothing when there are none. */
function NewestList<Row>({
  title,
  all,
  ...table
}: {
  title: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** The address of the complete list. */
  all?: OwnPath;
}) {
  if (table.rows.length === 0) return null;
  return (
    <section className={figuresStyles.attention} aria-label={title}>
      <h2>{title}</h2>
      {(all || table.rows.length === maxListed) && (
        <p className="text-ink-soft">
          Showing the newest {table.rows.length}. {all && <Link to={all}>Show all</Link>}
        </p>
      )}
      <Table caption={title} {...table} />
    </section>
  );
}

type ReviewRow = Route.ComponentProps["loaderData"]["reviews"][number];

const reviewColumns: Column<ReviewRow>[] = [
  { header: "Service", wide: true, cell: ({ service }) => service },
  {
    header: "Status",
    cell: ({ status }) => {
      const badge = toStatusBadge(status);
      return badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : status;
    },
  },
  { header: "Bought", cell: ({ bought }) => bought },
];

type OrderRow = Route.ComponentProps["loaderData"]["orders"][number];

const orderColumns: Column<OrderRow>[] = [
  {
    header: "Transaction",
    wide: true,
    cell: ({ orderId }) => (
      <Link to={`/admin/orders/${encodeURIComponent(orderId)}`}>
        <code>{orderId}</code>
      </Link>
    ),
  },
  { header: "Amount", cell: ({ amount }) => amount },
  {
    header: "Status",
    cell: ({ status }) => (
      <Badge tone={orderBadges[status].tone}>{orderBadges[status].label}</Badge>
    ),
  },
  { header: "Started", cell: ({ started }) => started },
];

type EventRow = Route.ComponentProps["loaderData"]["about"][number];

function buildEventColumns(other: string): Column<EventRow>[] {
  return [
    { header: "When", cell: ({ when }) => <span className="whitespace-nowrap">{when}</span> },
    { header: "Action", wide: true, cell: ({ label }) => label },
    { header: other, cell: (event) => event.other },
  ];
}
