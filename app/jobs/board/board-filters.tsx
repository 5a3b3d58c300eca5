import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { byFilters, useFilterFormKey, useSearchDebounce } from "../../ui/list/filtering.ts";
import {
  buildBoardAddress,
  type BoardQuery,
  feedTypes,
  longestSearch,
  parseBoardQuery,
} from "../board-query.ts";
import { type JobType, jobTypes } from "../rules.ts";

type Filters = {
  query: BoardQuery;
  /** The result of the filters, announced when it changes. */
  found: string;
  /** The address of the list's feed. */
  feed: string;
};

/** Search, job type and the summary switch. With JavaScript, the form is sent on each change. */
export function BoardFilters(filters: Filters) {
  return <FilterForm key={useFilterFormKey()} {...filters} />;
}

function FilterForm({ query, found, feed }: Filters) {
  const form = useRef<HTMLFormElement>(null);
  const filter = useFilter(form, query);
  const pause = useSearchDebounce();
  const [type, setType] = useState(query.type);
  const [showSummary, setShowSummary] = useState(query.showSummary);
  useEffect(() => {
    const chosen = parseBoardQuery(toSearchParams(form.current!));
    if (buildBoardAddress(chosen) === buildBoardAddress({ ...query, after: chosen.after })) return;
    // Applies choices made before hydration.
    setType(chosen.type);
    setShowSummary(chosen.showSummary);
    filter("replace");
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, on hydration
  }, []);
  return (
    <search aria-label="Jobs">
      <form
        ref={form}
        action="/jobs"
        className="grid gap-x-6 gap-y-3 md:grid-cols-[minmax(0,1fr)_auto]"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          pause.end();
          filter("push");
        }}
      >
        <div className="flex">
          <SearchInput
            defaultValue={query.search}
            onChange={() => pause.before(() => filter("replace"))}
          />
          <Button type="submit" className="rounded-s-none" aria-label="Search">
            <Icon name="search" />
          </Button>
        </div>
        <JobTypeChoice
          chosen={type}
          onChoose={(chosen) => {
            setType(chosen);
            filter("push");
          }}
        />
        <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 border-t-2 border-ink pt-1 text-sm md:col-span-full">
          <output className="w-full min-w-0 text-ink-faint sm:w-auto">{found}</output>
          <FollowLink feed={feed} />
          <input type="hidden" name="summary" value="hide" />
          <label className="switch">
            <input
              type="checkbox"
              // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- it states it itself
              role="switch"
              name="summary"
              value="show"
              checked={showSummary}
              onChange={(event) => {
                setShowSummary(event.target.checked);
                filter("replace");
              }}
            />
            <span>Show Summary</span>
          </label>
        </div>
      </form>
    </search>
  );
}

/** The search field. The button that sends it joins its end. */
export function SearchInput(own: { defaultValue: string; onChange?(): void }) {
  return (
    <input
      type="search"
      name="search"
      aria-label="Search jobs"
      placeholder="Search jobs..."
      className="input rounded-e-none"
      maxLength={longestSearch}
      autoComplete="off"
      enterKeyHint="search"
      {...own}
    />
  );
}

/** A link to the list's feed, which announces new jobs in feed readers. */
function FollowLink({ feed }: { feed: string }) {
  return (
    <a
      href={feed}
      type={feedTypes.atom}
      title="A feed: open this address in a feed reader to hear of new jobs"
      className="me-auto inline-flex min-h-11 items-center gap-2 text-xs sm:text-sm"
    >
      <span className="hidden sm:contents">
        <Icon name="feed" />
      </span>
      Follow this search
    </a>
  );
}

function JobTypeChoice({
  chosen,
  onChoose,
}: {
  chosen: JobType | null;
  onChoose(type: JobType | null): void;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Job Type</legend>
      <div className="job-types">
        {[null, ...jobTypes].map((type) => (
          <label key={type}>
            <input
              type="radio"
              name="type"
              value={type ?? ""}
              checked={type === chosen}
              onChange={() => onChoose(type)}
            />
            {type ?? "All"}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Navigates to the board for the form's values. The form stays, and so does the page number if the list is the same. */
function useFilter(form: RefObject<HTMLFormElement | null>, current: BoardQuery) {
  const navigate = useNavigate();
  return (history: "push" | "replace") => {
    if (!form.current) return;
    const chosen = parseBoardQuery(toSearchParams(form.current));
    const isSameList = chosen.search === current.search && chosen.type === current.type;
    const to = buildBoardAddress({ ...chosen, after: isSameList ? current.after : null });
    void navigate(to, {
      replace: history === "replace" || to === buildBoardAddress(current),
      preventScrollReset: true,
      state: byFilters,
    });
  };
}

function toSearchParams(form: HTMLFormElement): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") params.append(name, value);
  }
  return params;
}
