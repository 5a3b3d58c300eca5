import { Suspense, useEffect } from "react";
import { Await, useLocation, useNavigate } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { withFallback } from "../platform/forms.server.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { listMostOverdue } from "../review-staff/assign/lists.server.ts";
import { ButtonLink } from "../ui/form/button.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { peopleDrawing } from "../ui/feedback/people-drawing.tsx";
import { Page } from "../ui/layout/page.tsx";
import { type Column, Table } from "../ui/list/table.tsx";
import { Link } from "../ui/link.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/overview.screen.ts";
import { WaitingWorkList } from "./waiting-work.tsx";
import { DueDates, MessageFigures, OverviewCards } from "./overview-figures.tsx";
import { type Overview, loadOverview } from "./overview.server.ts";
import { AttentionLists } from "./parts.tsx";
import { AdminLinks } from "./side-menu.tsx";
import * as styles from "./figures.module.css";

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Admin Dashboard");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const listOverdue = () => listMostOverdue(db, context.get(currentActor));
  const overdue = await withFallback(context, listOverdue, []);
  const overview = loadOverview(context);
  // A page is rendered completely before it is sent; the router's own requests can stream it.
  const isDataRequest = new URL(request.url).pathname.endsWith(".data");
  return { overdue, overview: isDataRequest ? overview : await overview };
}

export default function OverviewScreen({
  loaderData: { overdue, overview },
}: Route.ComponentProps) {
  useActiveTab();
  return (
    <Page title="Overview">
      <WaitingWorkList overdue={overdue} />
      {overview instanceof Promise ? (
        <Suspense fallback={<OverviewLoading />}>
          <Await resolve={overview} errorElement={<OverviewFailed />}>
            {(loaded) => <OverviewBody {...loaded} />}
          </Await>
        </Suspense>
      ) : (
        <OverviewBody {...overview} />
      )}
    </Page>
  );
}

function OverviewBody({ figures, promise, desk, attention, recent }: Overview) {
  return (
    <>
      <OverviewCards figures={figures} />
      <div className={styles.groups}>
        <DueDates {...promise} />
        <MessageFigures figures={desk} />
      </div>
      <AttentionLists attention={attention} />
      <div className={styles.overviewEnd}>
        <RecentUsers users={recent} />
        <AdminLinks />
      </div>
    </>
  );
}

function OverviewLoading() {
  return (
    <>
      <OverviewCards figures={null} />
      <AdminLinks />
    </>
  );
}

/** Shown when the connection is lost while the overview streams in. */
function OverviewFailed() {
  return (
    <>
      <EmptyState
        title="Failed to load the overview"
        drawing="lost"
        action={<ButtonLink to="/admin">Try again</ButtonLink>}
      >
        The connection was lost. Check your network, then try again.
      </EmptyState>
      <AdminLinks />
    </>
  );
}

type RecentRow = { id: string; name: string; registered: string };

const columns: Column<RecentRow>[] = [
  { header: "Name", cell: ({ id, name }) => <Link to={`/admin/users/${id}`}>{name}</Link> },
  { header: "Registration Date", cell: ({ registered }) => registered },
];

function RecentUsers({ users }: { users: RecentRow[] }) {
  return (
    <section className={styles.recent} aria-labelledby="recent-users">
      <h2 id="recent-users">Recent Users</h2>
      <p className="text-ink-soft">Users registered in the last 5 days</p>
      {users.length > 0 ? (
        <Table caption="Recent users" columns={columns} rows={users} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="No recent user registrations" drawing={peopleDrawing} level={3} />
      )}
    </section>
  );
}

const tabs: Record<string, OwnPath> = {
  reviews: "/admin/reviews",
  users: "/admin/users",
  jobs: "/admin/jobs",
};

/** Opens the tab that a link names in its navigation state. */
function useActiveTab() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const tab = tabs[String((state as { activeTab?: unknown } | null)?.activeTab)];
  useEffect(() => {
    if (tab) void navigate(tab, { replace: true });
  }, [tab, navigate]);
}
