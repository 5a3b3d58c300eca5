import {
  useLocation,
  useNavigation,
  useSearchParams,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { now } from "../platform/clock.ts";
import { machine } from "../platform/machine.server.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { published } from "../ui/published.ts";
import { rootData } from "../ui/title.ts";
import type { Route } from "./+types/job-board.screen.ts";
import { BoardFilters } from "./board-filters.tsx";
import {
  boardAddress,
  type BoardQuery,
  canonicalBoardAddress,
  feedAddress,
  readBoardQuery,
} from "./board-query.ts";
import { describeFilter, feedTypes } from "./feed/words.ts";
import { JobList } from "./job-list.tsx";
import { boardPage, boardPageOf } from "./pages.ts";
import { listJobs } from "./read.server.ts";
import { postedAge } from "./rules.ts";
import { useMorePages } from "./use-more-pages.ts";

const { title } = boardPage;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = readBoardQuery(new URL(request.url).searchParams);
  const { config, db } = context.get(machine);
  const page = await listJobs(db, query);
  const moment = now();
  return {
    after: query.after,
    next: page.next,
    feed: config.origin + feedAddress("atom", { ...query, after: null }),
    isVisitor: context.get(currentActor) === null,
    // Labels come from here, so that a page drawn yesterday is not contradicted by the browser.
    jobs: page.jobs.map(({ postedAt, ...job }) => ({ ...job, age: postedAge(postedAt, moment) })),
  };
}

/** Showing or hiding the summaries changes the address, but not the jobs. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const [current, next] = [
    readBoardQuery(currentUrl.searchParams),
    readBoardQuery(nextUrl.searchParams),
  ];
  const sameJobs =
    boardAddress({ ...current, showSummary: true }) ===
    boardAddress({ ...next, showSummary: true });
  return sameJobs && current.showSummary !== next.showSummary ? false : defaultShouldRevalidate;
}

/** Each job type has a page of its own for search engines; searches and later pages have not. */
export const meta: Route.MetaFunction = ({ matches, location }) => {
  const query = readBoardQuery(new URLSearchParams(location.search));
  return [
    ...published(matches, boardPageOf(query.type), {
      address: canonicalBoardAddress(query),
      isListed: !query.search && !query.after,
    }),
    ...feedLinks(rootData(matches)?.origin ?? "", { ...query, after: null }),
  ];
};

function feedLinks(origin: string, query: BoardQuery) {
  return (["atom", "json"] as const).map((format) => ({
    tagName: "link" as const,
    rel: "alternate",
    type: feedTypes[format],
    title: describeFilter(query),
    href: origin + feedAddress(format, query),
  }));
}

export default function JobBoard({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const navigation = useNavigation();
  const query = readBoardQuery(params);
  const pages = useMorePages(loaderData, query);
  return (
    <Page title={title} actions={loaderData.isVisitor && <SignInStrip />}>
      <BoardFilters
        query={query}
        found={describeList(pages.jobs.length, query)}
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

function describeList(count: number, { search, type }: BoardQuery): string {
  const jobs = `${count} ${type ? `${type.toLowerCase()} ` : ""}${count === 1 ? "job" : "jobs"}`;
  return `Showing ${jobs}${search ? ` for “${search}”` : ""}`;
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
          <ButtonLink to={boardAddress({ showSummary: query.showSummary })}>
            Show all jobs
          </ButtonLink>
        )
      }
    >
      {isNarrowed
        ? "Try another word, a shorter one, or another job type."
        : "There are no open jobs at the moment."}
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
        Something on our side broke, and it has been noted.
      </EmptyState>
    </Page>
  );
}
