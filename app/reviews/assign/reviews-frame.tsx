import type { ReactNode } from "react";
import { FormAlert } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { type Filter, ListFilters } from "../../ui/list/list-filters.tsx";
import { Pager } from "../../ui/list/pager.tsx";
import { type ReviewsQuery, reviewsAddress, typeOptions } from "./reviews-query.ts";

const tabs = [
  { tab: "pending", label: "Pending Reviews", to: "/admin/reviews" },
  { tab: "assigned", label: "Assigned Reviews", to: "/admin/reviews/assigned" },
  { tab: "completed", label: "Completed Reviews", to: "/admin/reviews/completed" },
] as const;

/** What the lists of reviews have in common: the tabs, the filters with their refresh button, errors. */
export function ReviewsFrame({
  tab,
  filters,
  problem,
  children,
}: {
  tab: (typeof tabs)[number]["tab"];
  filters: readonly Filter[];
  problem: string | null;
  children: ReactNode;
}) {
  return (
    <Page title="Reviews" actions={<ListFilters filters={filters} />}>
      <TabLinks
        label="Reviews"
        items={tabs.map(({ label, to, tab: own }) => ({
          label,
          to,
          current: own === tab,
          reload: own === "completed" && tab !== "completed",
        }))}
      />
      <FormAlert>{problem}</FormAlert>
      {children}
    </Page>
  );
}

export function typeFilter({ type }: ReviewsQuery): Filter {
  return { name: "type", label: "Service type", value: type ?? "", options: typeOptions };
}

export function ReviewsPager({
  query,
  next,
  ...counts
}: {
  query: ReviewsQuery;
  /** The cursor of the page behind this one. */
  next: string | null;
  shown: number;
  total: number;
}) {
  const page = (after: string | null) => reviewsAddress({ ...query, after, dialog: null });
  return (
    <Pager {...counts} first={query.after ? page(null) : null} next={next ? page(next) : null} />
  );
}
