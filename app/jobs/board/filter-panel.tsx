import { type FocusEvent, useEffect, useRef } from "react";
import { countLabel } from "../../platform/lists/lists.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button } from "../../ui/form/button.tsx";
import { useIsOpen } from "../../ui/popover.ts";
import { type FilterName, listChosen, maxFilterNameLength } from "../filters/board-query.ts";
import { Choices, FilterGroup } from "./filter-group.tsx";
import type { LoadedFilters, useBoardForm } from "./use-board-form.ts";
import * as styles from "./board.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as selectStyles from "../../ui/form/select.module.css";

const panelId = "filters";

/** The button that opens the filters. On wide screens they are always visible. */
export function FilterPanelButton({ count }: { count: number }) {
  return (
    <Button variant="secondary" className={styles.button} popoverTarget={panelId}>
      <Icon name="filter" />
      {count > 0 ? `Filters (${count})` : "Filters"}
    </Button>
  );
}

/**
 * The filters: a column on wide screens, otherwise a panel that opens without scripts. The panel keeps its choices
 * until it is sent.
 */
export function FilterPanel({
  panel,
  chosen,
  change,
  close,
  matches,
  query,
  options: loaded,
  unknownPlaces,
}: ReturnType<typeof useBoardForm> & LoadedFilters) {
  const { isOpen, onToggle } = useIsOpen(panel);
  const first = useRef<HTMLButtonElement>(null);
  const options = matches?.options ?? loaded;
  const choicesOf = (name: FilterName) => ({
    name,
    options: options[name],
    chosen: listChosen(chosen, name),
    onChange: change,
  });
  const buildTicks = (label: string, name: FilterName, isOpenAtFirst?: boolean) => (
    <FilterGroup label={label} count={listChosen(chosen, name).length} isOpen={isOpenAtFirst}>
      <Choices type="checkbox" {...choicesOf(name)} />
    </FilterGroup>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles events of its children
    <div
      id={panelId}
      ref={panel}
      popover="auto"
      role="group"
      aria-label="Filters"
      className={styles.filters}
      onToggle={(event) => {
        // The groups inside fire this event too.
        if (event.target !== event.currentTarget) return;
        onToggle(event);
        if (event.newState === "open") first.current?.focus();
        else close();
      }}
      onBlur={(event) => keepFocus(event, first.current)}
    >
      <div className={styles.head}>
        <h2>Filters</h2>
        <button
          ref={first}
          type="button"
          popoverTarget={panelId}
          popoverTargetAction="hide"
          className={buttonStyles.iconButton}
          aria-label="Close filters"
        >
          <Icon name="close" />
        </button>
      </div>
      <div className={styles.body}>
        {buildTicks("Discipline", "discipline", true)}
        {buildTicks("Work mode", "mode", true)}
        <FilterGroup
          label="Place"
          count={options.place.filter(({ value }) => chosen.place.includes(value)).length}
          isOpen
        >
          <Choices type="checkbox" {...choicesOf("place")} />
          <PlaceField loaded={query.place} unknown={unknownPlaces} />
        </FilterGroup>
        {buildTicks("Skill", "skill")}
        <FilterGroup label="Experience" count={chosen.experience === null ? 0 : 1}>
          <ExperienceField {...choicesOf("experience")} />
        </FilterGroup>
        <FilterGroup label="Pay" count={chosen.pay === null ? 0 : 1}>
          <Choices
            type="radio"
            {...choicesOf("pay")}
            options={[{ value: "", label: "Any pay" }, ...options.pay]}
            chosen={[chosen.pay ?? ""]}
          />
        </FilterGroup>
        {buildTicks("Test task", "task")}
        <FilterGroup label="Sort" isOpen={chosen.sort !== "newest"}>
          <Choices
            type="radio"
            name="sort"
            options={sorts}
            chosen={[chosen.sort === "pay" ? "pay" : ""]}
            onChange={change}
          />
        </FilterGroup>
      </div>
      <div className={styles.foot}>
        <Button type="submit">{isOpen ? describeButton(matches) : "Show jobs"}</Button>
      </div>
    </div>
  );
}

const sorts = [
  { value: "", label: "Newest first" },
  { value: "pay", label: "Highest pay first" },
];

/** "Show 212 jobs" */
function describeButton(matches: ReturnType<typeof useBoardForm>["matches"]): string {
  if (!matches) return "Show jobs";
  const { total, jobs } = matches;
  const count = total ?? { counted: jobs.length, isMore: false };
  return count.counted === 1 && !count.isMore ? "Show 1 job" : `Show ${countLabel(count)} jobs`;
}

/** Returns the focus into the open panel, which covers everything else. */
function keepFocus(event: FocusEvent<HTMLElement>, first: HTMLElement | null) {
  const { currentTarget, relatedTarget } = event;
  if (!relatedTarget || currentTarget.contains(relatedTarget)) return;
  if (currentTarget.matches(":popover-open")) first?.focus();
}

/** The years of experience of the person who looks for a job. */
function ExperienceField({
  name,
  options,
  chosen,
  onChange,
}: Omit<Parameters<typeof Choices>[0], "type">) {
  return (
    <div className={selectStyles.inputSelect}>
      <select
        name={name}
        aria-label="Your experience"
        className={fieldStyles.input}
        value={chosen[0] ?? ""}
        onChange={onChange}
      >
        <option value="">Any experience</option>
        {options.map(({ value, label, jobs }) => (
          <option key={value} value={value}>
            {label} ({jobs})
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </div>
  );
}

/** The field for a place that isn't in the list. It accepts other names of a place, such as "Bangalore". */
function PlaceField({
  loaded,
  unknown,
}: {
  /** The places of the loaded list. */
  loaded: readonly string[];
  unknown: readonly string[];
}) {
  const field = useRef<HTMLInputElement>(null);
  const typed = unknown.at(-1) ?? "";
  // A place that was found is in the list now.
  const clear = useRef(false);
  const list = `${loaded.join()} ${typed}`;
  useEffect(() => {
    if (clear.current) field.current!.value = typed;
    clear.current = true;
    // oxlint-disable-next-line react/exhaustive-deps -- only after another list was loaded
  }, [list]);
  const isUnknown = unknown.length > 0;
  return (
    <div className={styles.place}>
      <label className={fieldStyles.field}>
        <span className={fieldStyles.label}>Another place</span>
        <input
          ref={field}
          name="place"
          className={fieldStyles.input}
          placeholder="City, state or country"
          autoComplete="off"
          enterKeyHint="go"
          maxLength={maxFilterNameLength}
          defaultValue={typed}
          aria-invalid={isUnknown || undefined}
          aria-describedby={isUnknown ? ignoredId : undefined}
        />
      </label>
      <Button type="submit" variant="secondary" size="sm">
        Add
      </Button>
    </div>
  );
}

/** The id of the message about unknown values. */
export const ignoredId = "ignored";
