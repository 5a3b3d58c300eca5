import {
  useLocation,
  useNavigation,
  useSearchParams,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { now } from "../../platform/clock.ts";
import { type Count, countLabel } from "../../platform/lists.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { type PublicScreen, buildPublicMeta, getRootData } from "../../ui/meta.ts";
import type { Route } from "./+types/job-board.screen.ts";
import { BoardFilters } from "./board-filters.tsx";
import {
  buildBoardAddress,
  type BoardQuery,
  buildCanonicalBoardAddress,
  buildFeedAddress,
  feedTypes,
  parseBoardQuery,
} from "../board-query.ts";
import { JobList, useMorePages } from "./job-list.tsx";
import { boardPage, buildBoardPage, describeFilter } from "../pages.ts";
import { countJobs, listJobs } from "../find.server.ts";
import { formatPostedAge } from "../rules.ts";
import styles from "../jobs.css?url";

const { title } = boardPage;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = parseBoardQuery(new URL(request.url).searchParams);
  const { config, db } = context.get(appContext);
  const page = await listJobs(db, query);
  const moment = now();
  const isAll = !query.after && !page.next;
  return {
    // If the page shows the complete list, its total is known.
    total: isAll ? null : await countJobs(db, query),
    after: query.after,
    next: page.next,
    feed: config.origin + buildFeedAddress("atom", { ...query, after: null }),
    isVisitor: context.get(currentActor) === null,
    // The server makes the labels, so that a cached page from yesterday matches the hydrated page.
    jobs: page.jobs.map(({ postedAt, ...job }) => ({
      ...job,
      age: formatPostedAge(postedAt, moment),
    })),
  };
}

/** Skips reloading when only the summaries are shown or hidden. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const [current, next] = [
    parseBoardQuery(currentUrl.searchParams),
    parseBoardQuery(nextUrl.searchParams),
  ];
  const sameJobs =
    buildBoardAddress({ ...current, showSummary: true }) ===
    buildBoardAddress({ ...next, showSummary: true });
  return sameJobs && current.showSummary !== next.showSummary ? false : defaultShouldRevalidate;
}

/** Each job type is a page for search engines. Searches and later pages are not. */
export const handle: PublicScreen = { page: boardPage, isCached: true, isShared: true };

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const query = parseBoardQuery(new URLSearchParams(location.search));
  return [
    ...buildPublicMeta(matches, buildBoardPage(query.type), {
      address: buildCanonicalBoardAddress(query),
      isListed: !query.search && !query.after,
    }),
    ...buildFeedLinks(getRootData(matches)?.origin ?? "", { ...query, after: null }),
  ];
};

function buildFeedLinks(origin: string, query: BoardQuery) {
  return (["atom", "json"] as const).map((format) => ({
    tagName: "link" as const,
    rel: "alternate",
    type: feedTypes[format],
    title: describeFilter(query),
    href: origin + buildFeedAddress(format, query),
  }));
}

export default function JobBoard({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const navigation = useNavigation();
  const query = parseBoardQuery(params);
  const pages = useMorePages(loaderData, query);
  return (
    <Page title={title} actions={loaderData.isVisitor && <SignInStrip />}>
      <link rel="stylesheet" href={styles} precedence="default" />
      <BoardFilters
        query={query}
        found={describeList(pages.jobs.length, loaderData.total, query)}
        feed={loaderData.feed}
      />
      {pages.jobs.length > 0 ? (
        <JobList {...pages} query={query} isBusy={navigation.location?.pathname === "/jobs"} />
      ) : (
        <NothingFound query={query} />
      )}
    </Page>
  );
}

/** "Showing 20 of 1,000+ jobs", or "Showing 3 internship jobs for “figma”" for a complete list. */
function describeList(count: number, total: Count | null, { search, type }: BoardQuery): string {
  const isPart = total && (total.isMore || total.counted > count);
  const kind = type ? `${type.toLowerCase()} ` : "";
  const jobs = `${kind}${count === 1 && !isPart ? "job" : "jobs"}`;
  const range = isPart ? `${count} of ${countLabel(total)} ${jobs}` : `${count} ${jobs}`;
  return `Showing ${range}${search ? ` for “${search}”` : ""}`;
}

function SignInStrip() {
  const { pathname, search } = useLocation();
  return (
    <div className="flex items-center gap-x-5">
      <p className="max-w-[17rem] text-sm text-ink-soft">
        Sign in to apply for jobs and access contact details.
      </p>
      <ButtonLink to={`/login?next=${encodeURIComponent(pathname + search)}`} className="flex-none">
        Sign In
      </ButtonLink>
    </div>
  );
}

function NothingFound({ query }: { query: BoardQuery }) {
  const isNarrowed = query.search || query.type || query.after;
  return (
    <EmptyState
      title="No jobs found matching your criteria."
      drawing="search"
      action={
        isNarrowed && (
          <ButtonLink to={buildBoardAddress({ showSummary: query.showSummary })}>
            Show all jobs
          </ButtonLink>
        )
      }
    >
      {isNarrowed
        ? "Try a shorter search, other words or another job type."
        : "There are no open jobs right now. New ones appear here immediately."}
    </EmptyState>
  );
}

export function ErrorBoundary() {
  const { pathname, search } = useLocation();
  return (
    <Page title={title}>
      <EmptyState
        title="Failed to load jobs"
        drawing="lost"
        action={
          <ButtonLink to={pathname + search} reloadDocument>
            Try again
          </ButtonLink>
        }
      >
        Something went wrong on our side, and we've logged it.
      </EmptyState>
    </Page>
  );
}
