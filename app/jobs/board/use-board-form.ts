import { useRef, useState } from "react";
import { useFetcher, useNavigate } from "react-router";
import type { Count } from "../../platform/lists/lists.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { byFilters } from "../../ui/list/filtering.ts";
import { buildBoardAddress, type BoardQuery, parseBoardQuery } from "../filters/board-query.ts";
import type { FilterLabel } from "../filters/filter-labels.server.ts";
import type { FilterOptions } from "../filters/filter-options.server.ts";

export type LoadedFilters = Matches & {
  query: BoardQuery;
  labels: readonly FilterLabel[];
  /** The typed names of places that are unknown. */
  unknownPlaces: readonly string[];
};

/** The numbers of matching jobs: of the loaded list, or of the choices in the open panel. */
type Matches = {
  options: FilterOptions;
  /** Null if all jobs are listed. */
  total: Count | null;
  jobs: readonly object[];
};

/**
 * The state of the board's form. Choices apply at once, except in the open panel, which collects them until it is
 * sent. Links and the back button change the choices too.
 */
export function useBoardForm({ query, unknownPlaces, ...loaded }: LoadedFilters) {
  const form = useRef<HTMLFormElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const isApplied = useRef(false);
  const preview = useFetcher<Matches>();
  const navigate = useNavigate();
  const address = buildFirstPageAddress(query);
  const applied = { address, chosen: query, isPreviewed: false };
  const [state, setState] = useState(applied);
  if (state.address !== address) setState(applied);

  function send(history: "push" | "replace") {
    if (!form.current) return;
    const chosen = parseForm(form.current);
    setState({ ...applied, chosen });
    isApplied.current = true;
    if (isOpen(panel.current)) panel.current.hidePopover();
    // The page number stays if the list is the same.
    const isSameList = buildJobsAddress(chosen) === buildJobsAddress(query);
    const to = buildBoardAddress({ ...chosen, after: isSameList ? query.after : null });
    void navigate(to, {
      replace: history === "replace" || to === buildBoardAddress(query),
      preventScrollReset: true,
      state: byFilters,
    });
    // A shorter list would leave only its empty place in view. The router has already saved the position for Back.
    const status = panel.current!.nextElementSibling!;
    if (status.getBoundingClientRect().top < 0) status.scrollIntoView();
  }

  return {
    form,
    panel,
    chosen: state.chosen,
    /** The numbers for the choices, null until they are counted. */
    matches: state.isPreviewed ? getLoadedData(preview) : loaded,
    send,
    /** Applies a change of a filter, or previews it in the open panel. */
    change() {
      if (!isOpen(panel.current)) return send("push");
      const chosen = parseForm(form.current!);
      setState({ ...applied, chosen, isPreviewed: true });
      void preview.load(buildFirstPageAddress(chosen));
    },
    /** Drops the choices of the panel if it is closed without sending it. */
    close() {
      if (!isApplied.current) setState(applied);
      isApplied.current = false;
    },
    applyEarlyChoices() {
      const chosen = parseForm(form.current!);
      // The field of an unknown place still has its name.
      const place = [...query.place, ...unknownPlaces.slice(-1)];
      if (buildFirstPageAddress(chosen) !== buildFirstPageAddress({ ...query, place }))
        send("replace");
    },
  };
}

function getLoadedData<Data>({ state, data }: { state: string; data: Data | undefined }) {
  return state === "idle" ? (data ?? null) : null;
}

function isOpen(panel: HTMLElement | null): panel is HTMLElement {
  return panel?.matches(":popover-open") ?? false;
}

function parseForm(form: HTMLFormElement): BoardQuery {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") params.append(name, value);
  }
  return parseBoardQuery(params);
}

function buildFirstPageAddress(query: BoardQuery): OwnPath {
  return buildBoardAddress({ ...query, after: null });
}

/** The address without display settings. */
function buildJobsAddress(query: BoardQuery): OwnPath {
  return buildBoardAddress({ ...query, showSummary: true, after: null });
}
