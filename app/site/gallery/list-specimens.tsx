import { useRef } from "react";
import { useSearchParams } from "react-router";
import { Button } from "../../ui/form/button.tsx";
import { SelectField } from "../../ui/form/field.tsx";
import { ListFilters } from "../../ui/list/list-filters.tsx";
import { PopoverPanel } from "../../ui/list/popover-panel.tsx";
import { CopyId, HistoryLink, RowMenu } from "../../ui/list/row-menu.tsx";
import {
  SelectAll,
  SelectedCount,
  type Selection,
  SelectionForm,
  SelectionSummary,
  useSelection,
} from "../../ui/list/selection.tsx";
import { type Column, Pager, ShortId, SortHeader, Table } from "../../ui/list/table.tsx";
import { buildSampleColumns, listPageStates, type SampleRow, sampleRows } from "./sample-pages.tsx";
import { hindiText, longText, type Specimen } from "./specimen.tsx";
import * as styles from "../../ui/list/lists.module.css";

export const listSpecimens: readonly Specimen[] = [
  {
    name: "StaffList",
    file: "list/staff-list.tsx",
    width: "small",
    note: "The frame of a staff list contains the page, so each state opens by itself.",
    isSingle: true,
    states: listPageStates("StaffList"),
  },
  {
    name: "Table",
    file: "list/table.tsx",
    note: "Below 768 px each row is a card.",
    width: "wide",
    states: [
      {
        label: "rows",
        show: (theme) => (
          <Table
            caption={`Reviews, ${theme}`}
            columns={buildSampleColumns()}
            rows={sampleRows}
            rowKey={({ id }) => id}
          />
        ),
      },
    ],
  },
  {
    name: "SortHeader",
    file: "list/table.tsx",
    width: "small",
    note: "The header of a sorted column in a table.",
    states: (["asc", "desc", null] as const).map((direction) => ({
      label: `direction: ${direction ?? "none"}`,
      show: () => <SortHeader label="Days assigned" direction={direction} to="?sort=days" />,
    })),
  },
  {
    name: "ShortId",
    file: "list/table.tsx",
    width: "small",
    note: "Its tooltip has the complete id.",
    states: [{ label: "an id", show: () => <ShortId>{sampleRows[0]!.id}</ShortId> }],
  },
  {
    name: "RowMenu",
    file: "list/row-menu.tsx",
    width: "small",
    states: [
      {
        label: "links and buttons",
        show: () => (
          <RowMenu id="sample-1" label="Actions for Asha's review">
            {() => (
              <>
                <button type="button">Unassign</button>
                <HistoryLink type="review" id={sampleRows[0]!.id} />
              </>
            )}
          </RowMenu>
        ),
      },
      {
        label: "focus",
        as: "focus",
        show: () => (
          <RowMenu id="sample-2" label="Actions for Ravi's review">
            {() => <button type="button">{hindiText}</button>}
          </RowMenu>
        ),
      },
    ],
  },
  {
    name: "PopoverPanel",
    file: "list/popover-panel.tsx",
    width: "small",
    note: "A panel with fields of the form around it, such as the bulk actions of a list.",
    states: [
      {
        label: "closed",
        show: (theme) => (
          <PopoverPanel label="Priority">
            <SelectField label="Priority" name={`priority-${theme}`} options={sampleOptions} />
            <Button>Set Priority</Button>
          </PopoverPanel>
        ),
      },
      {
        label: "disabled",
        show: () => (
          <PopoverPanel label="Priority" disabled>
            {hindiText}
          </PopoverPanel>
        ),
      },
    ],
  },
  {
    name: "HistoryLink",
    file: "list/row-menu.tsx",
    width: "small",
    states: [
      { label: "default", show: () => <HistoryLink type="review" id={sampleRows[0]!.id} /> },
    ],
  },
  {
    name: "CopyId",
    file: "list/row-menu.tsx",
    width: "small",
    note: "An item of a row's menu. A message says that the id was copied.",
    states: [{ label: "default", show: () => <CopyId id={sampleRows[0]!.id} label="review ID" /> }],
  },
  {
    name: "Pager",
    file: "list/table.tsx",
    isSingle: true,
    states: [
      {
        label: "a page in the middle",
        show: () => (
          <Pager
            rowCount={50}
            total={{ counted: 1000, isMore: true }}
            after="a"
            previous="b"
            next="c"
            address={() => "/demo/components"}
          />
        ),
      },
    ],
  },
  {
    name: "ListFilters",
    file: "list/list-filters.tsx",
    width: "wide",
    states: [
      { label: "filters", show: () => <FiltersSample /> },
      { label: "without filters", show: () => <ListFilters filters={[]} /> },
    ],
  },
  {
    name: "SelectionForm",
    file: "list/selection.tsx",
    width: "wide",
    states: [{ label: "none ticked", show: (theme) => <SelectionSample theme={theme} /> }],
  },
  {
    name: "SelectAll",
    file: "list/selection.tsx",
    width: "small",
    note: "Shown in the form above. It is disabled until scripts run.",
    states: [
      { label: "none", show: () => <SelectAllSample count={0} /> },
      { label: "some", show: () => <SelectAllSample count={1} /> },
      { label: "all", show: () => <SelectAllSample count={3} /> },
    ],
  },
  {
    name: "SelectionSummary",
    file: "list/selection.tsx",
    width: "small",
    note: "Shown once something is selected.",
    states: [
      {
        label: "on this page",
        show: () => <SelectionSummary of={buildSelection(3)} />,
      },
      {
        label: "on other pages too",
        show: () => <SelectionSummary of={buildSelection(3, ["a", "b"])} />,
      },
    ],
  },
  {
    name: "SelectedCount",
    file: "list/selection.tsx",
    states: [
      {
        label: "in a button",
        show: () => (
          <Button>
            Assign Selected <SelectedCount of={buildSelection(12)} />
          </Button>
        ),
      },
    ],
  },
];

const sampleOptions = [
  { value: "0", label: "None" },
  { value: "3", label: "High" },
];

function FiltersSample() {
  const [params] = useSearchParams();
  return (
    <ListFilters
      search={{
        label: "Search reviews",
        placeholder: "Search by name, email or id...",
        hint: "Customer's name or email, or the start of an id",
        value: params.get("search") ?? "",
      }}
      filters={[
        {
          name: "type",
          label: "Type",
          value: params.get("type") ?? "",
          options: [
            { value: "", label: "All types" },
            { value: "resume", label: "Resume" },
            { value: "long", label: longText },
          ],
        },
        {
          name: "order",
          label: "Sort by",
          value: params.get("order") ?? "",
          options: [
            { value: "", label: "Newest first" },
            { value: "days", label: "Days Assigned, descending" },
          ],
        },
      ]}
    />
  );
}

function SelectionSample({ theme }: { theme: string }) {
  const form = useRef<HTMLFormElement>(null);
  const selection = useSelection(form, { name: "review", rows: sampleRows });
  return (
    <SelectionForm form={form} selection={selection} closed="/demo/components">
      <div className={styles.assignBar}>
        <SelectAll selection={selection} of={sampleRows.length} />
        <Button disabled={selection.count === 0}>
          Assign Selected <SelectedCount of={selection} />
        </Button>
      </div>
      <Table
        caption={`Reviews to tick, ${theme}`}
        columns={[tickColumn, ...buildSampleColumns()]}
        rows={sampleRows}
        rowKey={({ id }) => id}
      />
    </SelectionForm>
  );
}

const tickColumn: Column<SampleRow> = {
  header: <span className="sr-only">Select</span>,
  cell: ({ id, customer }) => (
    <label className={styles.rowTick}>
      <input type="checkbox" name="review" value={id} aria-label={customer} />
    </label>
  ),
};

function SelectAllSample({ count }: { count: number }) {
  return <SelectAll selection={buildSelection(count)} of={3} />;
}

function buildSelection(count: number, elsewhere: string[] = []): Selection {
  return {
    name: "review",
    values: elsewhere,
    count: count + elsewhere.length,
    onPage: count,
    elsewhere,
    isFull: false,
    max: 200,
    has: () => false,
    updateCount() {},
    tickAll() {},
    clear() {},
  };
}
