import type { ReactNode } from "react";
import {
  useLocation,
  useNavigation,
  useSearchParams,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { day, now } from "../../platform/clock.ts";
import { type Count, countLabel } from "../../platform/lists/lists.ts";
import { getMonogram } from "../../platform/text/cut-text.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { ButtonLink } from "../../ui/form/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/job-board.screen.ts";
import { BoardFilters } from "./board-filters.tsx";
import {
  buildAlertAddress,
  buildBoardAddress,
  type BoardQuery,
  buildCanonicalBoardAddress,
  buildFeedAddress,
  type ChoiceGroup,
  feedTypes,
  hasFilters,
  parseBoardQuery,
} from "../filters/board-query.ts";
import { FilterChips, OtherJobs } from "./filter-chips.tsx";
import { buildBoardHead } from "./board-head.server.ts";
import { listFilterOptions } from "../filters/filter-options.server.ts";
import { ignoredId } from "./filter-panel.tsx";
import { describeIgnoredValues } from "../filters/filter-labels.server.ts";
import { parseJobFilter } from "../filters/job-filter.server.ts";
import { suggestFilter } from "../filters/named-filter.server.ts";
import { JobList, useMorePages } from "./job-list.tsx";
import { boardPage } from "./pages.ts";
import { listSimilarSearches } from "../search-words/similar-searches.server.ts";
import { listJobs } from "../find.server.ts";
import { formatPostedAge } from "../rules.ts";
import stylesheet from "./job-board.screen.css?url";

import * as styles from "./board.module.css";
const { title } = boardPage;

export async function loader({ request, context }: Route.LoaderArgs) {
  const filter = parseJobFilter(new URL(request.url).searchParams);
  const { query, labels, ignored } = filter;
  const { config, db } = context.get(appContext);
  const [page, { options, leftOut, total }, named] = await Promise.all([
    listJobs(db, filter),
    listFilterOptions(db, filter),
    suggestFilter(db, filter),
  ]);
  const similar = page.jobs.length > 0 ? [] : await listSimilarSearches(db, filter);
  const moment = now();
  const isAll = !query.after && !page.next;
  const unknownPlaces = ignored.filter(({ filter }) => filter === "place");
  return {
    // If the page shows the complete list, its total is known.
    total: isAll ? null : total,
    after: query.after,
    next: page.next,
    checked: describeChecks(config.checks.checkEvery / day),
    feed: config.origin + buildFeedAddress("atom", { ...query, after: null }),
    alerts: buildAlertAddress(query),
    isVisitor: context.get(currentActor) === null,
    // The server makes the labels, so that a cached page from yesterday matches the hydrated page.
    jobs: page.jobs.map(({ postedAt, coordinates: _coordinates, ...job }) => ({
      ...job,
      monogram: getMonogram(job.company),
      age: formatPostedAge(postedAt, moment),
    })),
    // The browser doesn't know which values exist.
    known: pickChoices(query),
    labels,
    head: buildBoardHead(filter, page.jobs.length),
    options,
    links: [...similar, ...(named ? [named] : []), ...leftOut],
    wayOut: page.jobs.length > 0 ? null : describeWayOut(query, named !== null),
    ignored: describeIgnoredValues(ignored),
    unknownPlaces: unknownPlaces.map(({ value }) => value),
  };
}

function describeChecks(days: number): string {
  return days === 1 ? "Checked every day" : `Checked every ${days} days`;
}

function pickChoices({
  discipline,
  mode,
  place,
  skill,
}: BoardQuery): Pick<BoardQuery, ChoiceGroup> {
  return { discipline, mode, place, skill };
}

/** Advice for a list without jobs. */
type WayOut = {
  advice: string;
  /** True if the board without search, filters and cursor can have more jobs. */
  isNarrowed: boolean;
};

/** @param isNamed true if a link leads to the filter that the search names */
function describeWayOut(query: BoardQuery, isNamed: boolean): WayOut {
  const isNarrowed = Boolean(query.search || query.type || query.after) || hasFilters(query);
  return { advice: getAdvice(query, isNamed), isNarrowed };
}

function getAdvice(query: BoardQuery, isNamed: boolean): string {
  if (isNamed)
    return "A search looks at titles, companies and summaries only. Use the filter above instead.";
  if (hasFilters(query)) return "Remove a filter, or try another word or job type.";
  if (/\S\s+\S/.test(query.search)) return "Try a shorter search, other words or another job type.";
  if (query.search) return "Try another word or job type.";
  return query.type || query.after
    ? "Try another job type."
    : "There are no open jobs right now. New ones appear here immediately.";
}

/** Skips reloading when only the summaries are shown or hidden, and after a job is saved. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formAction,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if (formAction?.endsWith("/save")) return false;
  const [current, next] = [
    parseBoardQuery(currentUrl.searchParams),
    parseBoardQuery(nextUrl.searchParams),
  ];
  const sameJobs =
    buildBoardAddress({ ...current, showSummary: true }) ===
    buildBoardAddress({ ...next, showSummary: true });
  return sameJobs && current.showSummary !== next.showSummary ? false : defaultShouldRevalidate;
}

/** Each job type and filter is a page for search engines. Searches and later pages are not. */
export const handle: PublicScreen = { page: boardPage, isCached: true, isShared: true };

export const meta: Route.MetaFunction = ({ matches, loaderData, location }) => {
  const query = parseLoadedQuery(new URLSearchParams(location.search), loaderData);
  const { title, description, isListed, listTitle } = loaderData?.head ?? defaultHead;
  return [
    ...buildPublicMeta(
      matches,
      { ...boardPage, title, description },
      { address: buildCanonicalBoardAddress(query), isListed },
    ),
    ...(loaderData ? buildFeedLinks(loaderData.feed, listTitle) : []),
  ];
};

const defaultHead = { ...boardPage, isListed: false, listTitle: title };

/** Returns the query with only its known values. */
function parseLoadedQuery(
  params: URLSearchParams,
  loaded: { known: Pick<BoardQuery, ChoiceGroup> } | undefined,
): BoardQuery {
  return { ...parseBoardQuery(params), ...loaded?.known };
}

function buildFeedLinks(feed: string, title: string) {
  return (["atom", "json"] as const).map((format) => ({
    tagName: "link" as const,
    rel: "alternate",
    type: feedTypes[format],
    title,
    href: feed.replace("/feed.atom", `/feed.${format}`),
  }));
}

export default function JobBoard({ loaderData }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const navigation = useNavigation();
  const query = parseLoadedQuery(params, loaderData);
  const pages = useMorePages(loaderData, query);
  const { ignored, labels, options, unknownPlaces } = loaderData;
  const alertLink = (
    <Link to={loaderData.alerts} className={styles.alert}>
      Get new jobs by email
    </Link>
  );
  return (
    <Page title={title} actions={loaderData.isVisitor && <SignInStrip query={query} />}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />

      <div className={styles.board}>
        {pages.jobs.length > 0 && (
          <a href="#jobs" className="skip-link">
            Skip to the jobs
          </a>
        )}
        <BoardFilters
          {...{ query, labels, options, unknownPlaces }}
          total={loaderData.total}
          jobs={pages.jobs}
          results={describeList(pages.jobs.length, loaderData.total, query)}
          checked={loaderData.checked}
          feed={loaderData.feed}
        >
          {alertLink}
        </BoardFilters>
        <div className={styles.list}>
          {ignored && (
            <p id={ignoredId} role="status" className={styles.note}>
              {ignored}
            </p>
          )}
          <FilterChips query={query} labels={labels} />
          <OtherJobs query={query} links={loaderData.links} />
          {pages.jobs.length > 0 ? (
            <JobList
              {...pages}
              query={query}
              isBusy={navigation.location?.pathname === "/jobs"}
              isVisitor={loaderData.isVisitor}
            />
          ) : (
            <NothingFound query={query} wayOut={loaderData.wayOut} alertLink={alertLink} />
          )}
        </div>
      </div>
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

function SignInStrip({ query }: { query: BoardQuery }) {
  return (
    <div className={styles.signIn}>
      <p>Sign in to apply for jobs and access contact details.</p>
      <ButtonLink
        to={`/login?next=${encodeURIComponent(buildBoardAddress(query))}`}
        variant="secondary"
      >
        Sign In
      </ButtonLink>
    </div>
  );
}

function NothingFound({
  query,
  wayOut,
  alertLink,
}: {
  query: BoardQuery;
  wayOut: WayOut | null;
  alertLink: ReactNode;
}) {
  return (
    <EmptyState
      title="No jobs found matching your criteria."
      drawing="search"
      action={
        wayOut?.isNarrowed && (
          <ButtonLink to={buildBoardAddress({ showSummary: query.showSummary })}>
            Show all jobs
          </ButtonLink>
        )
      }
    >
      {wayOut?.advice}
      <br />
      {alertLink}
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
