import { useEffect, useRef, useState } from "react";
import { useFetcher, useLocation } from "react-router";
import { boardAddress, type BoardQuery } from "./board-query.ts";
import type { loader } from "./job-board.screen.tsx";

export type BoardPage = Awaited<ReturnType<typeof loader>>;

/** What was loaded behind a list, by place in the history: going back finds it as long as it was. */
const cachedPages = new Map<string, BoardPage[]>();
const mostCached = 20;

/** The jobs of the first page and of those loaded behind it, and how to load one more. */
export function useMorePages(first: BoardPage, query: BoardQuery) {
  const { key } = useLocation();
  const fetcher = useFetcher<typeof loader>();
  const [state, setState] = useState({
    first,
    more: cachedPages.get(key) ?? [],
    taken: fetcher.data,
  });
  if (state.first !== first) setState({ ...state, first, more: cachedPages.get(key) ?? [] });
  if (state.taken !== fetcher.data) setState({ ...state, ...withLoaded(state, fetcher.data) });
  const pages = [state.first, ...state.more];
  const next = endOf(pages);
  useEffect(() => keep(key, state.more), [key, state.more]);
  useFocusOnNewest(state.more);

  return {
    jobs: withoutRepeats(pages),
    next,
    isLoading: fetcher.state !== "idle",
    load() {
      if (next && fetcher.state === "idle")
        void fetcher.load(boardAddress({ ...query, after: next }));
    },
  };
}

type Pages = { first: BoardPage; more: BoardPage[] };

/** A page that came after the filters changed belongs to another list and is left out. */
function withLoaded({ first, more }: Pages, taken: BoardPage | undefined) {
  const fits = taken && taken.after === endOf([first, ...more]);
  return { taken, more: fits ? [...more, taken] : more };
}

function endOf(pages: BoardPage[]): string | null {
  return pages.at(-1)?.next ?? null;
}

/** A job may have moved between pages while they were read. */
function withoutRepeats(pages: BoardPage[]): BoardPage["jobs"] {
  return [...new Map(pages.flatMap((page) => page.jobs).map((job) => [job.id, job])).values()];
}

function keep(key: string, pages: BoardPage[]): void {
  cachedPages.delete(key);
  if (pages.length > 0) cachedPages.set(key, pages);
  const [oldest] = cachedPages.keys();
  if (cachedPages.size > mostCached && oldest) cachedPages.delete(oldest);
}

/** The keyboard goes on at the first job that came; it would lose its place when the button goes. */
function useFocusOnNewest(more: BoardPage[]): void {
  const seen = useRef(more.length);
  useEffect(() => {
    const [job] = more.at(-1)?.jobs ?? [];
    if (more.length > seen.current && job)
      document.getElementById(`job-${job.id}`)?.focus({ preventScroll: true });
    seen.current = more.length;
  }, [more]);
}
