import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { OwnPath } from "../../platform/own-path.ts";
import { Button } from "../../ui/form/button.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import { useFilterFormKey, useSearchDebounce } from "../../ui/list/filtering.ts";
import { type BoardQuery, feedTypes, maxSearchLength } from "../filters/board-query.ts";
import { type JobType, jobTypes } from "../rules.ts";
import { FilterPanel, FilterPanelButton } from "./filter-panel.tsx";
import { type LoadedFilters, useBoardForm } from "./use-board-form.ts";
import * as styles from "./board.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";
import * as switchStyles from "../../ui/form/switch.module.css";
import * as jobRowsStyles from "./job-rows.module.css";

type Filters = LoadedFilters & {
  /** The result of the filters, announced when it changes. */
  results: string;
  /** How often we check the jobs. */
  checked: string;
  /** The address of the list's feed. */
  feed: string;
  /** The link to the form for an alert. */
  children: ReactNode;
};

/** Search, filters and the summary switch. With JavaScript, the form is sent on each change. */
export function BoardFilters(filters: Filters) {
  return <FilterForm key={useFilterFormKey()} {...filters} />;
}

function FilterForm({ results, checked, feed, children, ...loaded }: Filters) {
  const board = useBoardForm(loaded);
  const { chosen, form, send, change } = board;
  const pause = useSearchDebounce();
  const applyEarly = useRef(board.applyEarlyChoices);
  // Applies choices made before hydration.
  useEffect(() => applyEarly.current(), []);
  return (
    <search aria-label="Jobs" className="contents">
      <form
        ref={form}
        action={"/jobs" satisfies OwnPath}
        className="contents"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          pause.end();
          send("push");
        }}
      >
        <div className={styles.search}>
          <div className={styles.searchField}>
            <SearchInput
              defaultValue={loaded.query.search}
              onChange={() => pause.before(() => send("replace"))}
            />
            <Button type="submit" className={styles.searchButton} aria-label="Search">
              <Icon name="search" />
            </Button>
          </div>
          <JobTypeChoice chosen={chosen.type} onChoose={change} />
        </div>
        <FilterPanel {...board} {...loaded} />
        <div className={styles.status}>
          <output className={styles.found}>{results}</output>
          <FilterPanelButton count={loaded.labels.length} />
          <span className={styles.checked}>{checked}</span>
          {children}
          <FollowLink feed={feed} />
          <SummarySwitch chosen={chosen} onChange={() => send("replace")} />
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
      className={`${fieldStyles.input} ${styles.searchInput}`}
      maxLength={maxSearchLength}
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
      className={styles.follow}
    >
      <Icon name="feed" />
      RSS feed
    </a>
  );
}

function SummarySwitch({ chosen, onChange }: { chosen: BoardQuery; onChange(): void }) {
  return (
    <>
      <input type="hidden" name="summary" value="hide" />
      <label className={switchStyles.switch}>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- it states it itself
          role="switch"
          name="summary"
          value="show"
          checked={chosen.showSummary}
          onChange={onChange}
        />
        <span>Show Summary</span>
      </label>
    </>
  );
}

function JobTypeChoice({ chosen, onChoose }: { chosen: JobType | null; onChoose(): void }) {
  return (
    <fieldset className={styles.jobType}>
      <legend className="sr-only">Job Type</legend>
      <div className={jobRowsStyles.types}>
        {[null, ...jobTypes].map((type) => (
          <label key={type}>
            <input
              type="radio"
              name="type"
              value={type ?? ""}
              checked={type === chosen}
              onChange={onChoose}
            />
            {type ?? "All"}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
