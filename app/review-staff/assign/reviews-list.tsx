import { type ReactNode, useEffect } from "react";
import { writeQuery, type Count, minIdPartLength } from "../../platform/lists/lists.ts";
import { writeSort } from "../../platform/lists/sorts.ts";
import type { OwnAddress } from "../../platform/own-path.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { Tooltip } from "../../ui/feedback/tooltip.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { FormAlert, SelectField } from "../../ui/form/field.tsx";
import { Badge } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { Link } from "../../ui/link.tsx";
import { type Filter, ListFilters } from "../../ui/list/list-filters.tsx";
import { CopyId, HistoryLink } from "../../ui/list/row-menu.tsx";
import { type Beside, type Column, ShortId, Pager } from "../../ui/list/table.tsx";
import { DueCell } from "../../reviews/due-dates/due-date.tsx";
import type { DueView } from "../../reviews/due-dates/due-dates.ts";
import type { Material } from "../../reviews/materials.server.ts";
import {
  isServiceType,
  toPriorityBadge,
  priorityNames,
  getServiceLabel,
  services,
} from "../../reviews/rules.ts";
import { SecondLookBadge } from "../../reviews/second-look-badge.tsx";
import { dueFirst, buildReviewsAddress, type ReviewsQuery, typeOptions } from "./reviews-query.ts";
import * as tableStyles from "../../ui/list/table.module.css";
import * as listsStyles from "../../ui/list/lists.module.css";

const tabs = [
  { tab: "pending", label: "Pending Reviews", to: "/admin/reviews" },
  { tab: "assigned", label: "Assigned Reviews", to: "/admin/reviews/assigned" },
  { tab: "completed", label: "Completed Reviews", to: "/admin/reviews/completed" },
] as const;

type Tab = (typeof tabs)[number]["tab"];

/** The empty list, shown when reading failed. */
export const noReviews = {
  rows: [],
  previous: null,
  next: null,
  total: { counted: 0, isMore: false },
  counts: null,
  due: null,
};

/**
 * Shows a message when the address opens a dialog for a review that is no longer there: it was assigned,
 * submitted or refunded since.
 */
export function useMissingReview(isMissing: boolean): void {
  useEffect(() => {
    if (!isMissing) return;
    const description =
      "This review isn't on this page. It may have moved to another list or page.";
    showToast({ kind: "error", title: "Failed to load review details", description });
    // oxlint-disable-next-line react/exhaustive-deps -- a review that leaves the list later was changed here
  }, []);
}

/** The frame of every review list: tabs, the search, filters with their refresh button, and errors. */
export function ReviewsFrame({
  tab,
  query,
  counts,
  filters,
  problem,
  children,
}: {
  tab: Tab;
  query: ReviewsQuery;
  /** The number of reviews in each list; null when they could not be counted. */
  counts: Record<Tab, Count> | null;
  filters: readonly Filter[];
  problem: string | null;
  children: ReactNode;
}) {
  return (
    <Page
      title="Reviews"
      actions={
        <ListFilters
          filters={filters}
          search={{
            label: "Search reviews",
            placeholder: "Search by name, email or id...",
            hint: `Finds customers by name or email, and review and user ids by their first ${minIdPartLength} or more characters`,
            value: query.search,
          }}
        />
      }
    >
      <TabLinks
        label="Reviews"
        items={tabs.map(({ label, to, tab: own }) => ({
          label,
          // The customer's other reviews may be in another list.
          to: `${to}${writeQuery({ search: query.search })}` as const,
          count: counts?.[own],
          current: own === tab,
          reload: own === "completed" && tab !== "completed",
        }))}
      />
      <FormAlert>{problem}</FormAlert>
      {children}
    </Page>
  );
}

/** The empty state of a search, with the ways out: without the search, and without all filters. */
export function NoMatches({ query }: { query: ReviewsQuery }) {
  const { search, type, reviewer } = query;
  return (
    <EmptyState
      title={`No reviews match “${search}”`}
      drawing="search"
      action={
        <ButtonLink to={buildReviewsAddress({ ...query, search: "", after: null, dialog: null })}>
          Clear search
        </ButtonLink>
      }
    >
      {type || reviewer
        ? "Your filters apply too. Remove them, or look in another list."
        : "Check the spelling, or look in another list."}
    </EmptyState>
  );
}

export function buildTypeFilter({ type }: ReviewsQuery): Filter {
  return { name: "type", label: "Service type", value: type ?? "", options: typeOptions };
}

/** Builds the sort options of waiting reviews. */
export function buildQueueFilter({ sort }: ReviewsQuery): Filter {
  return {
    name: "sort",
    label: "Sort by",
    value: writeSort(sort) === dueFirst.value ? dueFirst.value : "",
    options: [{ value: "", label: "Most urgent first" }, dueFirst],
  };
}

export function ReviewsPager({
  query,
  ...page
}: Beside & { query: ReviewsQuery; rowCount: number; total: Count }) {
  const address = (after: string | null) => buildReviewsAddress({ ...query, after, dialog: null });
  return <Pager {...page} after={query.after} address={address} />;
}

/** The fields that all review lists share. */
export type ReviewRow = {
  id: string;
  serviceType: string;
  /** The earlier review of a second look. */
  secondLookOf: string | null;
  /** The field and the language that the customer wished for. */
  wishes: readonly string[];
  /** The name of a reviewer who reviewed it before and can get it; absent without one. */
  earlierReviewer?: string;
  userId: string;
  resource: Material | null;
  priority: number;
  /** Null for a review without a due date. */
  due: DueView | null;
};

/** Returns a row with its due date; null for one without a due date. */
export function toDueRow(row: ReviewRow | null) {
  return row?.due ? { id: row.id, due: row.due } : null;
}

/** The items at the end of each review's menu. A second look has a link to the earlier review. */
export function ReviewItems({
  id,
  userId,
  secondLookOf,
}: Pick<ReviewRow, "id" | "userId" | "secondLookOf">) {
  return (
    <>
      {secondLookOf && (
        <Link to={`/admin/reviews/completed?search=${secondLookOf}`}>Earlier Review</Link>
      )}
      <HistoryLink type="review" id={id} />
      <CopyId id={id} label="review ID" />
      <CopyId id={userId} label="user ID" />
    </>
  );
}

export const idColumn: Column<ReviewRow> = {
  header: "Review ID",
  phone: "last",
  cell: ({ id }) => <ShortId>{id}</ShortId>,
};

export const typeColumn: Column<ReviewRow> = {
  header: "Service Type",
  phone: 2,
  bare: true,
  cell: ({ serviceType, secondLookOf, wishes, earlierReviewer }) => (
    <>
      <span className="nowrap-wide">
        {isServiceType(serviceType)
          ? services[serviceType].shortLabel
          : getServiceLabel(serviceType)}{" "}
        <SecondLookBadge secondLookOf={secondLookOf} />
      </span>
      {wishes.length > 0 && <small className={listsStyles.hint}>Wish: {wishes.join(", ")}</small>}
      {earlierReviewer && (
        <small className={listsStyles.hint}>Reviewed before by {earlierReviewer}</small>
      )}
    </>
  ),
};

/** The user's id, for the list of pending reviews; the other lists show a name. */
export const userIdColumn: Column<ReviewRow> = {
  header: "User",
  phone: "last",
  cell: ({ userId }) => <ShortId>{userId}</ShortId>,
};

export const userNameColumn: Column<ReviewRow & { userName: string }> = {
  header: "User",
  phone: 1,
  bare: true,
  cell: ({ userName, userId }) => (
    <Tooltip words={userId}>
      <span className={tableStyles.person}>{userName}</span>
    </Tooltip>
  ),
};

/** The user's name with the due time below it. */
export const dueUserColumn: typeof userNameColumn = {
  ...userNameColumn,
  cell: (row) => (
    <>
      {userNameColumn.cell(row)} <DueCell due={row.due} />
    </>
  ),
};

export const resourceColumn: Column<ReviewRow> = {
  header: "Resource",
  bare: true,
  cell: ({ resource }) =>
    resource ? <Resource material={resource} /> : <span className="text-ink-faint">None</span>,
};

export const priorityColumn: Column<ReviewRow> = {
  header: "Priority",
  cell: ({ priority }) => {
    const badge = toPriorityBadge(priority);
    return badge ? (
      <Badge tone={badge.tone}>{badge.label}</Badge>
    ) : (
      <span className={listsStyles.cellNone}>None</span>
    );
  },
};

function Resource({ material: { label, href, text } }: { material: Material }) {
  return (
    <Tooltip words={text}>
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer" className="whitespace-nowrap">
          {label}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      ) : (
        <span>{label}</span>
      )}
    </Tooltip>
  );
}

/** The dialog that sets the priority of an open review; null closes it. */
export function PriorityDialog({
  review,
  ...dialogProps
}: {
  review: ReviewRow | null;
  closed: OwnAddress;
  onSaved(): void;
}) {
  return (
    <FormDialog
      {...dialogProps}
      open={review !== null}
      title="Set Priority"
      intent="set-priority"
      submitLabel="Save Changes"
      pendingLabel="Saving..."
    >
      {review && (
        <>
          <input type="hidden" name="reviewId" value={review.id} />
          <PriorityField value={review.priority} hint={`Review ${review.id}`} />
        </>
      )}
    </FormDialog>
  );
}

export function PriorityField({ value, hint }: { value: number; hint?: string }) {
  return (
    <SelectField
      label="Priority"
      name="priority"
      defaultValue={String(value)}
      options={priorityNames.map((label, rank) => ({ value: String(rank), label }))}
      hint={hint}
    />
  );
}
