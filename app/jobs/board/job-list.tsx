import { type RefObject, useEffect, useRef, useState } from "react";
import { useFetcher, useLocation, useViewTransitionState } from "react-router";
import { ButtonLink } from "../../ui/form/button.tsx";
import { Link } from "../../ui/link.tsx";
import { buildBoardAddress, type BoardQuery } from "../filters/board-query.ts";
import type { ListedJob } from "../find.server.ts";
import { payUnstated, reportedNotice } from "../rules.ts";
import { type OwnLabels, SaveButton, SaveForm, useOwnLabels } from "../save-button.tsx";
import * as styles from "./job-rows.module.css";
import * as jobsStyles from "../jobs.module.css";

type JobCard = BoardPage["jobs"][number];

/** The list of jobs, with a button that loads more. */
export function JobList({
  jobs,
  next,
  button,
  isLoading,
  load,
  query,
  isBusy,
  isVisitor,
}: ReturnType<typeof useMorePages> & {
  query: BoardQuery;
  isBusy: boolean;
  isVisitor: boolean;
}) {
  const labels = useOwnLabels(isVisitor);
  return (
    <>
      <SaveForm />
      {query.after && (
        <p className="text-sm">
          <Link to={buildBoardAddress({ ...query, after: null })}>Back to the newest jobs</Link>
        </p>
      )}
      <ol id="jobs" className={styles.list} aria-busy={isBusy}>
        {jobs.map((job) => (
          <li key={job.id}>
            <JobEntry job={job} showSummary={query.showSummary} labels={labels} />
          </li>
        ))}
      </ol>
      {next && (
        <div className={styles.more}>
          <ButtonLink
            ref={button}
            to={buildBoardAddress({ ...query, after: next })}
            variant="secondary"
            aria-busy={isLoading || undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              load();
            }}
          >
            Load more
          </ButtonLink>
        </div>
      )}
    </>
  );
}

function JobEntry({
  job,
  showSummary,
  labels,
}: {
  job: JobCard;
  showSummary: boolean;
  labels: OwnLabels;
}) {
  const { search } = useLocation();
  const address = `/jobs/${job.id}` as const;
  const isLeaving = useViewTransitionState(address);
  return (
    <article className={styles.entry}>
      <span
        className={styles.monogram}
        data-discipline={job.discipline ?? undefined}
        aria-hidden="true"
      >
        {job.monogram}
      </span>
      <h2>
        <Link
          id={`job-${job.id}`}
          to={address}
          state={{ board: search }}
          prefetch="intent"
          viewTransition
        >
          <span style={isLeaving ? { viewTransitionName: "job-title" } : undefined}>
            {job.title}
          </span>
        </Link>
      </h2>
      <p className={styles.pay} data-stated={job.pay}>
        {job.pay ?? payUnstated}
      </p>
      <p className={styles.facts}>
        <span className={styles.company}>{job.company}</span>
        <span>{job.place}</span>
        <span>{job.jobType}</span>
        <span>{job.age}</span>
        {job.applyBy && <span>{job.applyBy}</span>}
        {!job.isChecked && <span>{job.check}</span>}
      </p>
      {job.isReported && <p className={jobsStyles.reported}>{reportedNotice}</p>}
      {showSummary && job.summary && <p className={styles.summary}>{job.summary}</p>}
      <SaveButton job={job} labels={labels} />
    </article>
  );
}

/** A page of the board, as its screen loads it. */
type BoardPage = {
  jobs: (Omit<ListedJob, "postedAt" | "coordinates"> & {
    age: string;
    /** Two letters of the company. */
    monogram: string;
  })[];
  /** The cursors that this page and the next one start after. */
  after: string | null;
  next: string | null;
  /** The address of the list's feed, which identifies the list. */
  feed: string;
};

/** Loaded pages of a list by history entry, so that Back restores the list at its former length. */
const cachedPages = new Map<string, BoardPage[]>();
const maxCachedEntries = 20;

/** Returns the jobs of the first page and of all pages loaded since, and a function that loads one more. */
export function useMorePages(first: BoardPage, query: BoardQuery) {
  const { key } = useLocation();
  const fetcher = useFetcher<BoardPage>();
  const [state, setState] = useState({
    first,
    more: cachedPages.get(key) ?? [],
    added: fetcher.data,
  });
  if (state.first !== first) setState({ ...state, first, more: cachedPages.get(key) ?? [] });
  if (state.added !== fetcher.data) setState({ ...state, ...addLoadedPage(state, fetcher.data) });
  const pages = [state.first, ...state.more];
  const next = getNextCursor(pages);
  useEffect(() => rememberPages(key, state.more), [key, state.more]);
  const button = useRef<HTMLAnchorElement>(null);
  useFocusOnNewest(state.more, button);

  return {
    jobs: mergePages(pages),
    next,
    button,
    isLoading: fetcher.state !== "idle",
    load() {
      if (next && fetcher.state === "idle")
        void fetcher.load(buildBoardAddress({ ...query, after: next }));
    },
  };
}

type Pages = { first: BoardPage; more: BoardPage[] };

/** Adds a loaded page, unless the filters have changed since and it belongs to another list. */
function addLoadedPage({ first, more }: Pages, added: BoardPage | undefined) {
  const fits = added?.feed === first.feed && added.after === getNextCursor([first, ...more]);
  return { added, more: fits ? [...more, added] : more };
}

function getNextCursor(pages: BoardPage[]): string | null {
  return pages.at(-1)?.next ?? null;
}

/** Removes duplicates, since a job may move between pages while they are loaded. */
function mergePages(pages: BoardPage[]): BoardPage["jobs"] {
  return [...new Map(pages.flatMap((page) => page.jobs).map((job) => [job.id, job])).values()];
}

function rememberPages(key: string, pages: BoardPage[]): void {
  cachedPages.delete(key);
  if (pages.length > 0) cachedPages.set(key, pages);
  const [oldest] = cachedPages.keys();
  if (cachedPages.size > maxCachedEntries && oldest) cachedPages.delete(oldest);
}

/**
 * Moves the focus to the first new job, since it would be lost when the button disappears. If the person has moved
 * the focus in the meantime, it stays.
 */
function useFocusOnNewest(more: BoardPage[], button: RefObject<HTMLAnchorElement | null>): void {
  const previousCount = useRef(more.length);
  useEffect(() => {
    const [job] = more.at(-1)?.jobs ?? [];
    const { activeElement } = document;
    const isWaiting = activeElement === document.body || activeElement === button.current;
    if (more.length > previousCount.current && job && isWaiting)
      document.getElementById(`job-${job.id}`)?.focus({ preventScroll: true });
    previousCount.current = more.length;
  }, [more, button]);
}
