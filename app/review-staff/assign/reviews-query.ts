import type { ShouldRevalidateFunctionArgs } from "react-router";
import { isServiceType, type ServiceType, services, serviceTypes } from "../../reviews/rules.ts";
import { writeQuery } from "../../platform/lists/lists.ts";
import { readSort, type Sort, writeSort } from "../../platform/lists/sorts.ts";
import { parseSearch } from "../../ui/list/search.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";

/** The sorts of the list of assigned reviews. Pending ones can also be sorted by due date. */
export const assignedSorts = [
  "service_type",
  "user",
  "assigned_to",
  "days_assigned",
  "days_since_purchase",
  "created_at",
  "assigned_at",
  "due",
] as const;

export type AssignedSort = Sort<(typeof assignedSorts)[number]>;

export const firstAssignedSort: AssignedSort = { by: "days_assigned", direction: "desc" };

/** Overdue first, then by due date; reviews without a date come last. */
export const dueSort: AssignedSort = { by: "due", direction: "asc" };
export const dueFirst = { value: writeSort(dueSort), label: "Due first" };

/** The choice that shares reviews out among reviewers, in place of a reviewer's id. */
export const evenShare = { value: "evenly", label: "Share out evenly" };

/** The query of a review list. */
export type ReviewsQuery = {
  /** A part of the customer's name or email, or the start of an id; "" finds all. */
  search: string;
  type: ServiceType | null;
  /** The reviewer whose assigned reviews are listed; null for all. */
  reviewer: string | null;
  sort: AssignedSort;
  /** The sort of an address without one: a person can choose another than `firstAssignedSort`. */
  firstSort: AssignedSort;
  /** The cursor of the page to show; null is the first. */
  after: string | null;
  /** The open dialog and its review. */
  dialog: { name: DialogName; id: string } | null;
};

const dialogNames = ["edit", "extend", "reassign", "unassign"] as const;
export type DialogName = (typeof dialogNames)[number];

/** The `intent` of each form outside of the list: in a dialog or a toast. */
const otherIntents = ["set-priority", "undo-priority", "extend", "reassign-one", "unassign-one"];

/** True if an action refused a form outside of the list. A dialog or a toast gives the reason, so the list must not. */
export function isRefusedDialog(answer: object | undefined): boolean {
  if (!answer || !("values" in answer)) return false;
  const { intent = "" } = answer.values as Record<string, string>;
  return otherIntents.includes(intent);
}

/** Reads the query of a list; unknown values are ignored. */
export function readReviewsQuery(
  params: URLSearchParams,
  firstSort: AssignedSort = firstAssignedSort,
): ReviewsQuery {
  const type = params.get("type");
  const name = dialogNames.find((candidate) => params.get(candidate));
  return {
    search: parseSearch(params),
    type: isServiceType(type) ? type : null,
    reviewer: params.get("reviewer") || null,
    sort: readSort(params.get("sort"), assignedSorts, firstSort),
    firstSort,
    after: params.get("after") || null,
    dialog: name ? { name, id: params.get(name) ?? "" } : null,
  };
}

/** Builds the address of a list, such as "?type=resume_review&after=…", without default values. */
export function buildReviewsAddress(query: Partial<ReviewsQuery>): "." | `?${string}` {
  const { search, type, reviewer, firstSort = firstAssignedSort } = query;
  const { sort = firstSort, after, dialog } = query;
  const sorted = writeSort(sort);
  const isFirst = sorted === writeSort(firstSort);
  const opened = dialog && { [dialog.name]: dialog.id };
  const sortValue = isFirst ? null : sorted;
  return writeQuery({ search, type, reviewer, sort: sortValue, after, ...opened }) || ".";
}

/** Names a list by its search and filters, regardless of its sort and page, which a selection survives. */
export function getListName(path: string, { search, type, reviewer }: ReviewsQuery): string {
  return path + buildReviewsAddress({ search, type, reviewer });
}

/** Decides for `shouldRevalidate`: a dialog changes the address but not the rows, and a form can change both. */
export function shouldRevalidateRows(args: ShouldRevalidateFunctionArgs): boolean {
  const { currentUrl, nextUrl, formMethod } = args;
  if (formMethod === "POST") return revalidateAfterRefusal(args);
  const current = readReviewsQuery(currentUrl.searchParams);
  const next = readReviewsQuery(nextUrl.searchParams);
  const sameRows = buildAddressWithoutDialog(current) === buildAddressWithoutDialog(next);
  const sameDialog = current.dialog?.id === next.dialog?.id;
  return sameRows && !sameDialog ? false : args.defaultShouldRevalidate;
}

function buildAddressWithoutDialog(query: ReviewsQuery): string {
  return buildReviewsAddress({ ...query, dialog: null });
}

export const typeOptions = [
  { value: "", label: "All Services" },
  ...serviceTypes.map((type) => ({ value: type, label: services[type].shortLabel })),
];
