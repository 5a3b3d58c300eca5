import { Link, useSearchParams } from "react-router";
import { signedInActor } from "../../accounts/actor.server.ts";
import { provedGuard } from "../../accounts/guards.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { formatRupees } from "../../payments/money.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { shortDate, shortDateTime } from "../../platform/clock.ts";
import { countLabel } from "../../platform/lists.ts";
import { services, statusBadge } from "../../reviews/rules.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Badge, Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type Column, Table } from "../../ui/list/table.tsx";
import { titled } from "../../ui/meta.ts";
import { Fact } from "../fact.tsx";
import { eventCopy } from "../history-copy.ts";
import { type ListedEvent, listHistory } from "../history.server.ts";
import { orderLooks } from "../orders/order-copy.ts";
import type { Route } from "./+types/person.screen.ts";
import { changePerson } from "./person-forms.server.ts";
import { Access, BanDialog, RevokeDialog, Roles } from "./person-parts.tsx";
import {
  listBoughtReviews,
  listOrdersOf,
  type PersonFacts,
  readPerson,
} from "./read-person.server.ts";

export const middleware = [provedGuard("forms")];

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "User");

export async function loader({ request, params: { userId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = signedInActor(context);
  const facts = await readPerson(db, actor, userId);
  const [reviews, orders, about, done] = await Promise.all([
    listBoughtReviews(db, actor, userId),
    listOrdersOf(db, actor, userId),
    listHistory(db, actor, { type: "user", id: userId, after: null }),
    listHistory(db, actor, { type: null, id: null, by: userId, after: null }),
  ]);
  return {
    ...personOf(facts, actor.id),
    held: await takeHeldForm(context, request),
    reviews: reviews.map(({ createdAt, serviceType, ...review }) => ({
      ...review,
      service: services[serviceType].shortLabel,
      bought: shortDate(createdAt),
    })),
    orders: orders.map(({ createdAt, amountPaise, ...order }) => ({
      ...order,
      amount: formatRupees(amountPaise),
      begun: shortDateTime(createdAt),
    })),
    about: about.events.slice(0, mostShown).map((event) => eventRow(event, null)),
    done: done.events.slice(0, mostShown).map((event) => eventRow(event, done.names)),
  };
}

/** As many of a kind as the lists below give. */
const mostShown = 10;

function personOf(facts: PersonFacts, ownId: string) {
  const { id, email, fullName, phone, subscription, sessions, ban } = facts;
  const { bought, open, done } = facts.reviews;
  const { lastUsedAt } = sessions;
  return {
    person: {
      id,
      email,
      name: fullName?.trim() || email,
      isSelf: id === ownId,
      isConfirmed: facts.isConfirmed,
      roles: facts.roles.map(({ role, since }) => ({ role, since: shortDate(since) })),
      isLastGodAdmin: facts.isLastGodAdmin,
      ban: ban && {
        ...ban,
        until: shortDate(ban.until),
        since: ban.since && shortDateTime(ban.since),
      },
      openReviews: countLabel(open),
    },
    account: {
      phone,
      registered: shortDateTime(facts.registeredAt),
      confirmed: facts.isConfirmed ? "Yes" : "Not yet",
      subscription: subscription
        ? [
            "Active",
            subscription.endsAt &&
              `${subscription.renews ? "renews" : "ends"} on ${shortDate(subscription.endsAt)}`,
          ]
            .filter(Boolean)
            .join(", ")
        : "None",
      bought: countLabel(bought),
      done: countLabel(done),
      paid: countLabel(facts.orders.paid),
      unpaid: countLabel(facts.orders.others),
    },
    sessions:
      sessions.open === 0 || !lastUsedAt
        ? "Signed in nowhere."
        : `Signed in on ${sessions.open} ${sessions.open === 1 ? "device" : "devices"}, last seen ${shortDate(lastUsedAt)} or since.`,
  };
}

function eventRow({ id, at, actorName, event, subjectId }: ListedEvent, names: Names | null) {
  return {
    id,
    when: shortDateTime(at),
    words: eventCopy(event),
    // About the person it says who did it; of what they did, to what.
    other: names ? (names[subjectId] ?? subjectId) : actorName,
  };
}

type Names = Record<string, string>;

export const action = changePerson;

export default function Person({ loaderData }: Route.ComponentProps) {
  const { person, account, sessions, reviews, orders, about, done } = loaderData;
  const [params] = useSearchParams();
  const { id, email, name } = person;
  return (
    <Page
      back={
        <ButtonLink to="/admin/users" variant="ghost">
          <Icon name="arrow-left" />
          Users
        </ButtonLink>
      }
      title={name}
      intro={name === email ? undefined : email}
    >
      <div className="fact-sheets">
        <Card title="Account">
          <dl className="facts">
            <Fact name="Phone">{account.phone}</Fact>
            <Fact name="Registered">{account.registered}</Fact>
            <Fact name="Address confirmed">{account.confirmed}</Fact>
            <Fact name="Subscription">{account.subscription}</Fact>
            <Fact name="Reviews bought">{account.bought}</Fact>
            <Fact name="Orders">
              {account.paid} paid, {account.unpaid} not
            </Fact>
            <Fact name="Reviews to do">{person.openReviews}</Fact>
            <Fact name="Reviews done">{account.done}</Fact>
            <Fact name="Messages to us">
              <Link
                to={`/admin/messages?${new URLSearchParams({ state: "all", search: email }).toString()}`}
              >
                From this address
              </Link>
            </Fact>
          </dl>
        </Card>
        <Roles person={person} />
        <Access person={person} sessions={sessions} />
      </div>
      {/* Where they are cards in the page, they stand beside what opened them. */}
      <BanDialog person={person} open={params.has("ban")} held={loaderData.held} />
      <RevokeDialog person={person} role={params.get("revoke")} />
      <Listed title="Reviews bought" columns={reviewColumns} rows={reviews} rowKey={byId} />
      <Listed
        title="Orders"
        columns={orderColumns}
        rows={orders}
        rowKey={({ orderId }) => orderId}
      />
      <Listed
        title="What was done to this account"
        columns={eventColumns("Who")}
        rows={about}
        rowKey={byId}
        all={`/admin/history?type=user&id=${id}`}
      />
      <Listed
        title="What they did"
        columns={eventColumns("To what")}
        rows={done}
        rowKey={byId}
        all={`/admin/history?by=${id}`}
      />
    </Page>
  );
}

const byId = ({ id }: { id: string }) => id;

/** The newest of a kind; nothing where there are none. */
function Listed<Row>({
  title,
  all,
  ...table
}: {
  title: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey(row: Row): string;
  /** Where all of them are. */
  all?: string;
}) {
  if (table.rows.length === 0) return null;
  return (
    <section className="attention" aria-label={title}>
      <h2>{title}</h2>
      {(all || table.rows.length === mostShown) && (
        <p className="text-ink-soft">
          The newest {table.rows.length}. {all && <Link to={all}>All of them</Link>}
        </p>
      )}
      <Table caption={title} {...table} />
    </section>
  );
}

type ReviewRow = { id: string; service: string; status: string; bought: string };

const reviewColumns: Column<ReviewRow>[] = [
  { header: "Service", wide: true, cell: ({ service }) => service },
  {
    header: "Status",
    cell: ({ status }) => {
      const badge = statusBadge(status);
      return badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : status;
    },
  },
  { header: "Bought", cell: ({ bought }) => bought },
];

type OrderRow = {
  orderId: string;
  amount: string;
  status: keyof typeof orderLooks;
  begun: string;
};

const orderColumns: Column<OrderRow>[] = [
  {
    header: "Transaction",
    wide: true,
    cell: ({ orderId }) => (
      <Link to={`/admin/orders/${encodeURIComponent(orderId)}`}>
        <code className="text-xs">{orderId}</code>
      </Link>
    ),
  },
  { header: "Amount", cell: ({ amount }) => amount },
  {
    header: "Status",
    cell: ({ status }) => <Badge tone={orderLooks[status].tone}>{orderLooks[status].label}</Badge>,
  },
  { header: "Begun", cell: ({ begun }) => begun },
];

type EventRow = { id: string; when: string; words: string; other: string };

function eventColumns(other: string): Column<EventRow>[] {
  return [
    { header: "When", cell: ({ when }) => <span className="md:whitespace-nowrap">{when}</span> },
    { header: "What", wide: true, cell: ({ words }) => words },
    { header: other, cell: (event) => event.other },
  ];
}
