import { Link } from "react-router";
import { DueDate } from "../clock/due-date.tsx";
import { daysAssignedTone } from "../rules.ts";
import { writeSort } from "../../platform/lists.ts";
import { Badge } from "../../ui/layout/card.tsx";
import type { Column } from "../../ui/list/table.tsx";
import type { Filter } from "../../ui/list/list-filters.tsx";
import {
  idColumn,
  priorityColumn,
  resourceColumn,
  type ReviewRow,
  typeColumn,
  userNameColumn,
} from "./reviews-list.tsx";
import {
  type AssignedSort,
  type DialogName,
  overdueFirst,
  type ReviewsQuery,
  reviewsAddress,
} from "./reviews-query.ts";
import { HistoryLink, RowMenu } from "../../ui/list/row-menu.tsx";
import { tickColumn } from "./selection.tsx";
import { SortHeader, sortedWords } from "../../ui/list/sort-header.tsx";

export type AssignedRow = ReviewRow & {
  userName: string;
  assignedTo: string;
  daysAssigned: number;
  daysSincePurchase: number;
};

/** The columns that sort the list, each with the direction that is wanted first. */
const sortable = [
  { by: "service_type", label: "Service Type", first: "asc" },
  { by: "user", label: "User", first: "asc" },
  { by: "assigned_to", label: "Assigned To", first: "asc" },
  { by: "days_assigned", label: "Days Assigned", first: "desc" },
  { by: "days_since_purchase", label: "Days Since Purchase", first: "desc" },
] as const;

export function assignedColumns(query: ReviewsQuery): Column<AssignedRow>[] {
  return [
    tickColumn,
    idColumn,
    sorted(query, "service_type", typeColumn),
    sorted(query, "user", userNameColumn),
    resourceColumn,
    priorityColumn,
    sorted(query, "assigned_to", {
      cell: ({ assignedTo }) => <span className="person">{assignedTo}</span>,
    }),
    sorted(query, "days_assigned", {
      align: "end",
      cell: ({ daysAssigned }) => (
        <Badge tone={daysAssignedTone(daysAssigned)}>{daysAssigned}</Badge>
      ),
    }),
    sorted(query, "days_since_purchase", {
      align: "end",
      cell: ({ daysSincePurchase, due }) => (
        <>
          {daysSincePurchase}
          <DueDate due={due} />
        </>
      ),
    }),
    {
      header: <span className="sr-only">Actions</span>,
      cell: ({ id, due }) => (
        <RowMenu label={`Actions for review ${id}`}>
          {menuOf(due).map(({ name, label }) => (
            <Link
              key={name}
              to={reviewsAddress({ ...query, dialog: { name, id } })}
              replace
              preventScrollReset
            >
              {label}
            </Link>
          ))}
          <HistoryLink type="review" id={id} />
        </RowMenu>
      ),
    },
  ];
}

const menu: { name: DialogName; label: string }[] = [
  { name: "reassign", label: "Reassign" },
  { name: "edit", label: "Edit Priority" },
  { name: "unassign", label: "Unassign" },
];

/** A date that there is none of cannot be moved. */
function menuOf(due: AssignedRow["due"]): typeof menu {
  return due ? [...menu, { name: "extend", label: "Set Later Due Date" }] : menu;
}

function sorted(
  query: ReviewsQuery,
  name: AssignedSort["by"],
  column: Omit<Column<AssignedRow>, "header">,
): Column<AssignedRow> {
  const { by, label, first } = sortable.find((one) => one.by === name)!;
  const direction = query.sort.by === by ? query.sort.direction : null;
  const other = direction === "asc" ? "desc" : "asc";
  const sort: AssignedSort = { by, direction: direction ? other : first };
  const to = reviewsAddress({ ...query, sort, after: null, dialog: null });
  return {
    ...column,
    label,
    header: <SortHeader label={label} direction={direction} to={to} />,
    sorted: sortedWords(direction),
  };
}

/** The same choice for phones, and what is overdue first, which no column shows alone. */
export function sortFilter({ sort }: ReviewsQuery): Filter {
  const options = [
    overdueFirst,
    ...sortable.flatMap(({ by, label }) => [
      { value: `${by}.asc`, label: `${label}, ascending` },
      { value: `${by}.desc`, label: `${label}, descending` },
    ]),
  ];
  const value = writeSort(sort);
  const isListed = options.some((option) => option.value === value);
  return {
    name: "sort",
    label: "Sort by",
    value,
    options: isListed ? options : [{ value, label: value }, ...options],
  };
}
