import { Suspense, useEffect } from "react";
import { Await, Link, useLocation, useNavigate } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { now, shortDate, shortDateTime } from "../platform/clock.ts";
import { appContext } from "../platform/app-context.server.ts";
import { readEachMinute } from "../platform/each-minute.server.ts";
import { orElse } from "../platform/forms.server.ts";
import { formatRupees } from "../payments/money.ts";
import { ButtonLink } from "../ui/form/button.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Page } from "../ui/layout/page.tsx";
import { type Column, Table } from "../ui/list/table.tsx";
import { titled } from "../ui/meta.ts";
import type { Route } from "./+types/overview.screen.ts";
import {
  countActiveJobs,
  countActiveReviews,
  countUsers,
  listFailingDependencies,
  listPaymentsToLookInto,
  listRecentUsers,
  listUndeliveredMails,
} from "./overview.server.ts";
import {
  type Attention,
  AttentionLists,
  DueDates,
  type Figures,
  OverviewCards,
} from "./overview-sections.tsx";
import { countDue, readServiceFigures } from "../reviews/clock/due-dates.server.ts";
import { AdminLinks } from "./side-menu.tsx";
import { readRevenue, revenueChange } from "./revenue.server.ts";

export const meta: Route.MetaFunction = ({ matches }) => titled(matches, "Admin Dashboard");

export async function loader({ request, context }: Route.LoaderArgs) {
  const overview = readOverview(context);
  // A page is rendered whole, whoever asks for it; the router's own requests need not wait.
  const isForRouter = new URL(request.url).pathname.endsWith(".data");
  return { overview: isForRouter ? overview : await overview };
}

async function readOverview(context: Route.LoaderArgs["context"]) {
  const { db } = context.get(appContext);
  const actor = context.get(currentActor);
  const moment = now();
  const read = <Value,>(reading: () => Promise<Value>) => orElse(context, reading, null);
  const [users, reviews, jobs, revenue, recent, payments, mails, due, service] = await Promise.all([
    read(() => countUsers(db, actor)),
    read(() => readEachMinute(db, "reviews", () => countActiveReviews(db, actor))),
    read(() => readEachMinute(db, "jobs", () => countActiveJobs(db, actor))),
    read(() => readRevenue(db, actor, moment)),
    read(() => listRecentUsers(db, actor, moment)),
    read(() => listPaymentsToLookInto(db, actor)),
    read(() => listUndeliveredMails(db, actor)),
    read(() => readEachMinute(db, "due", () => countDue(db, actor))),
    read(() => readEachMinute(db, "service figures", () => readServiceFigures(db))),
  ]);
  const figures: Figures = {
    users,
    reviews,
    jobs,
    revenue: revenue && formatRupees(revenue.current),
    refunded: revenue && revenue.refunded > 0 ? formatRupees(revenue.refunded) : null,
    change: revenue && revenueChange(revenue.current, revenue.previous),
  };
  return {
    figures,
    promise: { due, service },
    attention: attentionOf(listFailingDependencies(actor), payments, mails),
    recent: (recent ?? []).map(({ id, fullName, registeredAt }) => ({
      id,
      name: fullName?.trim() || "Unnamed User",
      registered: registeredAt ? shortDate(registeredAt) : "N/A",
    })),
  };
}

type Found<Listing extends (...asked: never[]) => unknown> = Awaited<ReturnType<Listing>> | null;

function attentionOf(
  failing: ReturnType<typeof listFailingDependencies>,
  payments: Found<typeof listPaymentsToLookInto>,
  mails: Found<typeof listUndeliveredMails>,
): Attention {
  return {
    failing: failing.map(({ since, ...rest }) => ({ ...rest, since: shortDateTime(since) })),
    payments: {
      total: payments?.total ?? 0,
      rows: (payments?.orders ?? []).map(({ amountPaise, createdAt, ...order }) => ({
        ...order,
        amount: formatRupees(amountPaise),
        begun: shortDate(createdAt),
      })),
    },
    mails: {
      total: mails?.total ?? 0,
      rows: (mails?.mails ?? []).map(({ createdAt, lastError, givenUpAt, ...mail }) => ({
        ...mail,
        queued: shortDateTime(createdAt),
        why: `${givenUpAt ? "Given up." : "Still tried."} ${lastError ?? "Nothing was answered yet."}`,
      })),
    },
  };
}

export default function Overview({ loaderData: { overview } }: Route.ComponentProps) {
  useActiveTab();
  return (
    <Page title="Overview">
      {overview instanceof Promise ? (
        <Suspense fallback={<OverviewCards figures={null} />}>
          <Await resolve={overview} errorElement={<Unread />}>
            {(read) => <Read {...read} />}
          </Await>
        </Suspense>
      ) : (
        <Read {...overview} />
      )}
      <AdminLinks />
    </Page>
  );
}

function Read({ figures, promise, attention, recent }: Awaited<ReturnType<typeof readOverview>>) {
  return (
    <>
      <OverviewCards figures={figures} />
      <DueDates {...promise} />
      <AttentionLists attention={attention} />
      <RecentUsers users={recent} />
    </>
  );
}

/** The answer broke off after it had begun. */
function Unread() {
  return (
    <EmptyState
      title="Failed to load the overview"
      drawing="lost"
      action={<ButtonLink to="/admin">Try again</ButtonLink>}
    >
      The connection was lost on the way.
    </EmptyState>
  );
}

type RecentRow = { id: string; name: string; registered: string };

const columns: Column<RecentRow>[] = [
  { header: "Name", cell: ({ id, name }) => <Link to={`/admin/users/${id}`}>{name}</Link> },
  { header: "Registration Date", cell: ({ registered }) => registered },
];

function RecentUsers({ users }: { users: RecentRow[] }) {
  return (
    <section className="recent" aria-labelledby="recent-users">
      <h2 id="recent-users">Recent Users</h2>
      <p className="text-ink-soft">Users registered in the last 5 days</p>
      {users.length > 0 ? (
        <Table caption="Recent users" columns={columns} rows={users} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="No recent user registrations" drawing="people" level={3} />
      )}
    </section>
  );
}

const tabs: Record<string, string> = {
  reviews: "/admin/reviews",
  users: "/admin/users",
  jobs: "/admin/jobs",
};

/** A link from elsewhere can name the tab to open in its navigation state. */
function useActiveTab() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const tab = tabs[String((state as { activeTab?: unknown } | null)?.activeTab)];
  useEffect(() => {
    if (tab) void navigate(tab, { replace: true });
  }, [tab, navigate]);
}
